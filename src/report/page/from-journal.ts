import { isObject, type Json } from "../../base/json.ts";
import { createScheduler, type StepResult } from "../../core/index.ts";
import {
  type JournalEntry,
  parseJournal,
  Recorded,
  type SetupDescription,
} from "../../core/journal/index.ts";
import type { Discipline, DisciplineDescription } from "../../policy/policy.ts";
import { JournalJobs } from "../../trace/journal/journal-jobs.ts";
import type { Note, Trace } from "../../trace/model.ts";
import type { PageHost } from "./document.ts";
import { Told } from "./told.ts";

export interface JournalPage {
  readonly trace: Trace;
  readonly told: Told;
  readonly host: PageHost;
}

export interface JournalPageOptions {
  /** The file's name, for errors. */
  readonly place: string;
  /**
   * What the facts come from: the recorded actions, or a full replay that asks the policies again
   * and yields every refusal.
   */
  readonly by: "actions" | "replay";
}

type Restore = (description: DisciplineDescription) => Discipline;

/** What a journal tells. COST: O(events); by a replay also what its policies cost. */
export function journalPage(
  lines: Iterable<string>,
  restore: Restore,
  options: JournalPageOptions,
): JournalPage {
  return followJournal(() => lines, restore, options);
}

/**
 * As `journalPage`, for a journal that grows: `lines` may ask, between two lines, for the page as
 * it stands; undefined before the first line.
 */
export function followJournal(
  lines: (soFar: () => JournalPage | undefined) => Iterable<string>,
  restore: Restore,
  { place, by }: JournalPageOptions,
): JournalPage {
  let fold: Fold | undefined;
  const journal = parseJournal(
    lines(() => fold?.page(false)),
    place,
  );
  const { setup, names } = journal;
  const step = by === "actions" ? recordedSteps(setup, place) : replayedSteps(setup, restore);
  fold = new Fold(setup, place);
  for (const entry of journal.entries) {
    if (entry.kind === "host") fold.host(entry.data);
    else fold.step({ event: entry.event, names, ...step(entry) });
  }
  return fold.page(true);
}

type Step = Extract<JournalEntry, { readonly kind: "step" }>;
type Steps = (entry: Step) => StepResult;

function recordedSteps(setup: SetupDescription, place: string): Steps {
  const core = new Recorded(setup);
  return ({ event, actions, line }) => ({
    actions,
    facts: core.step(event, actions, `${place}:${line}`),
  });
}

function replayedSteps(setup: SetupDescription, restore: Restore): Steps {
  const discipline = restore(setup.discipline);
  const scheduler = createScheduler({ ...setup, discipline }, { explain: true, facts: true });
  return ({ event }) => scheduler.step(event);
}

class Fold {
  readonly #place: string;
  readonly #jobs: JournalJobs;
  readonly #told = new Told();
  /** Faults that go on. */
  readonly #faults = new Map<string, Fault>();
  #host: PageHost;

  constructor(setup: SetupDescription, place: string) {
    this.#place = place;
    this.#jobs = new JournalJobs(setup);
    this.#host = setup.slotKinds.includes("container") ? "yarn" : "simulator";
  }

  host(data: Json): void {
    if (!isObject(data)) return;
    if (data.kind === "run" && this.#host === "simulator") this.#host = "engine";
    if (data.kind !== "fault" || typeof data.node !== "string") return;
    const [at, key] = [Number(data.at), `${data.node} ${String(data.fault)}`];
    const fault = { node: data.node, at, text: String(data.what) };
    if (data.is === "begin") {
      this.#faults.set(key, fault);
      return;
    }
    const begun = this.#faults.get(key);
    this.#faults.delete(key);
    if (begun !== undefined) this.#told.fault(begun.node, begun.text, begun.at, at);
  }

  step(step: Parameters<Told["apply"]>[0]): void {
    for (const fact of step.facts) this.#jobs.apply(fact);
    this.#jobs.see(step.event);
    this.#told.apply(step);
  }

  page(isOver: boolean): JournalPage {
    const jobs = isOver ? this.#jobs.jobs() : this.#jobs.soFar();
    if (isOver) {
      for (const { node, text, at } of this.#faults.values()) {
        this.#told.fault(node, text, at, undefined);
      }
    }
    const cut = jobs.filter(({ outcome }) => outcome === "cut-off");
    const notes = cut.map(
      ({ id }): Note => ({ kind: "cut-off", text: `the journal ends before ${id} does` }),
    );
    const source = { format: "journal", files: [this.#place] } as const;
    const trace = { source, originMs: 0, jobs, notes: isOver ? notes : [] };
    return { trace, told: this.#told, host: this.#host };
  }
}

interface Fault {
  readonly node: string;
  readonly at: number;
  readonly text: string;
}
