import { InputError } from "../../base/input-error.ts";
import { parseJson } from "../../base/json.ts";
import { parseJournal, Recorded, type ReplayedStep, replay } from "../../core/journal/index.ts";
import type { Note, Trace } from "../../history/model.ts";
import { restoreDiscipline } from "../../policy/discipline.ts";
import type { Registry } from "../../policy/registry.ts";
import { Bound } from "../bound.ts";
import { ByteLines } from "../byte-lines.ts";
import { textOf } from "../byte-text.ts";
import type { TraceReader } from "../reader.ts";
import { JournalJobs } from "./journal-jobs.ts";

/**
 * Reads a journal of Broomwagon: the core replays it, and its facts say how attempts ended. Where a
 * policy of this version decides otherwise than that of the journal, the record counts.
 */
export class JournalReader implements TraceReader {
  readonly #place: string;
  readonly #registry: Registry | undefined;
  readonly #lines: string[] = [];
  readonly #bound: Bound;
  readonly #cut = new ByteLines((bytes, from, to) => {
    this.#bound.count("lines");
    this.#lines.push(textOf(bytes, from, to));
  });

  constructor(place: string, registry?: Registry, linesMax: number = LINES_MAX) {
    this.#place = place;
    this.#registry = registry;
    this.#bound = new Bound(place, linesMax);
  }

  push(bytes: Uint8Array): void {
    this.#cut.push(bytes);
  }

  /** Throws an InputError if the recorded actions do not follow from the events. */
  end(): Trace {
    this.#cut.end();
    const notes: Note[] = [...this.#cut.notes];
    const last = this.#lines.at(-1);
    if (last !== undefined && this.#lines.length > 1 && !parseJson(last).ok) {
      notes.push({ kind: "cut-off", text: `line ${this.#lines.length} is cut off` });
      this.#lines.pop();
    }
    const { setup } = parseJournal(this.#lines, this.#place);
    let jobs = new JournalJobs(setup);
    const replayed = replay(
      this.#lines,
      (description) => restoreDiscipline(description, this.#registry),
      {
        place: this.#place,
        onStep: (step) => take(jobs, step),
        onHost: (data) => jobs.seeHost(data),
      },
    );
    if (replayed.kind === "different") {
      const text = `line ${replayed.line} has decisions that this version does not make`;
      notes.push({ kind: "assumed", text: `${text}: the attempts are as recorded` });
      jobs = this.#byRecord();
    }
    const traced = jobs.jobs();
    if (traced.length === 0) throw new InputError("bad-input", this.#place, "holds no jobs");
    for (const { id, outcome } of traced) {
      if (outcome !== "cut-off") continue;
      notes.push({ kind: "cut-off", text: `the journal ends before ${id} does`, job: id });
    }
    const source = { format: "journal", files: [this.#place] } as const;
    return { source, originMs: 0, jobs: traced, notes };
  }

  /** No policy is asked. */
  #byRecord(): JournalJobs {
    const { setup, entries } = parseJournal(this.#lines, this.#place);
    const jobs = new JournalJobs(setup);
    const core = new Recorded(setup);
    for (const entry of entries) {
      if (entry.kind === "host") {
        jobs.seeHost(entry.data);
        continue;
      }
      const { event, actions, line } = entry;
      take(jobs, { event, facts: core.step(event, actions, `${this.#place}:${line}`) });
    }
    return jobs;
  }
}

/** A line takes 400 bytes, so that as many take 2 GB. */
const LINES_MAX = 5_000_000;

function take(jobs: JournalJobs, { event, facts }: Pick<ReplayedStep, "event" | "facts">): void {
  for (const fact of facts) jobs.apply(fact);
  jobs.see(event);
}
