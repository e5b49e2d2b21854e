import { InputError } from "../../base/input-error.ts";
import { parseJson } from "../../base/json.ts";
import { parseJournal, replay } from "../../core/journal/index.ts";
import type { Note, Trace } from "../../history/model.ts";
import { restoreDiscipline } from "../../policy/discipline.ts";
import type { Registry } from "../../policy/registry.ts";
import { ByteLines } from "../byte-lines.ts";
import { textOf } from "../byte-text.ts";
import type { TraceReader } from "../reader.ts";
import { JournalJobs } from "./journal-jobs.ts";

/** Reads a journal of Broomwagon: the core replays it, and its facts say how attempts ended. */
export class JournalReader implements TraceReader {
  readonly #place: string;
  readonly #registry: Registry | undefined;
  readonly #lines: string[] = [];
  readonly #cut = new ByteLines((bytes, from, to) => this.#lines.push(textOf(bytes, from, to)));

  constructor(place: string, registry?: Registry) {
    this.#place = place;
    this.#registry = registry;
  }

  push(bytes: Uint8Array): void {
    this.#cut.push(bytes);
  }

  /** Throws an InputError if the journal does not replay. */
  end(): Trace {
    this.#cut.end();
    const notes: Note[] = [];
    const last = this.#lines.at(-1);
    if (last !== undefined && this.#lines.length > 1 && !parseJson(last).ok) {
      notes.push({ kind: "cut-off", text: `line ${this.#lines.length} is cut off` });
      this.#lines.pop();
    }
    const { setup } = parseJournal(this.#lines, this.#place);
    const jobs = new JournalJobs(setup);
    const replayed = replay(
      this.#lines,
      (description) => restoreDiscipline(description, this.#registry),
      {
        place: this.#place,
        onStep: (step) => {
          for (const fact of step.facts) jobs.apply(fact);
          jobs.see(step.event);
        },
      },
    );
    if (replayed.kind === "different" && notes.length === 0) {
      const place = `${this.#place}:${replayed.line}`;
      throw new InputError("bad-journal", place, "expected a journal that replays to the byte");
    }
    const traced = jobs.jobs();
    if (traced.length === 0) throw new InputError("bad-input", this.#place, "holds no jobs");
    for (const { id, outcome } of traced) {
      if (outcome !== "cut-off") continue;
      notes.push({ kind: "cut-off", text: `the journal ends before ${id} does` });
    }
    const source = { format: "journal", files: [this.#place] } as const;
    return { source, originMs: 0, jobs: traced, notes };
  }
}
