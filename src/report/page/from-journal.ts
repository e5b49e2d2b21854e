import type { Json } from "../../base/json.ts";
import { createScheduler, type StepResult } from "../../core/index.ts";
import {
  type JournalEntry,
  parseJournal,
  Recorded,
  type SetupDescription,
} from "../../core/journal/index.ts";
import type { Note, Trace } from "../../history/model.ts";
import type { Discipline, DisciplineDescription } from "../../policy/policy.ts";
import { JournalJobs } from "../../trace/journal/journal-jobs.ts";
import type { PageHost } from "./document.ts";
import { HostLines } from "./host-lines.ts";
import { type JournalStep, RunLog } from "./run-log.ts";

export interface JournalPage {
  readonly trace: Trace;
  readonly log: RunLog;
  readonly host: PageHost;
}

export interface JournalPageOptions {
  /** The file's name, for errors. */
  readonly place: string;
  /**
   * The source of the facts: the recorded actions, or a full replay that asks the policies again
   * and yields every refusal.
   */
  readonly by: "actions" | "replay";
}

/** Whether refusals are unknown. */
export const lacksRefusals = (
  { explain }: SetupDescription,
  { by }: Pick<JournalPageOptions, "by">,
): boolean => by === "actions" && !explain;

export type Restore = (description: DisciplineDescription) => Discipline;

/** The page of a journal. COST: O(events), and in a replay the cost of its policies. */
export function journalPage(
  lines: Iterable<string>,
  restore: Restore,
  options: JournalPageOptions,
): JournalPage {
  const journal = parseJournal(lines, options.place);
  const { setup, names } = journal;
  const step = stepsOf(setup, restore, options);
  const fold = new Fold(setup, options);
  for (const entry of journal.entries) {
    if (entry.kind === "host") fold.seeHost(entry.data);
    else fold.step({ event: entry.event, names, ...step(entry) });
  }
  return fold.page();
}

type Step = Extract<JournalEntry, { readonly kind: "step" }>;

/** Takes a journal's steps, one after the other. */
export type Steps = (entry: Step) => StepResult;

export const stepsOf = (
  setup: SetupDescription,
  restore: Restore,
  { place, by }: JournalPageOptions,
): Steps => (by === "actions" ? recordedSteps(setup, place) : replayedSteps(setup, restore));

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
  readonly #host: HostLines;
  readonly #place: string;
  readonly #jobs: JournalJobs;
  readonly #log: RunLog;

  constructor(setup: SetupDescription, options: JournalPageOptions) {
    this.#place = options.place;
    this.#jobs = new JournalJobs(setup);
    this.#log = new RunLog(this.#jobs.attempts);
    this.#log.lacksRefusals = lacksRefusals(setup, options);
    this.#host = new HostLines(setup.slotKinds, this.#log);
  }

  seeHost(data: Json): void {
    this.#host.read(data);
    this.#jobs.seeHost(data);
  }

  step(step: JournalStep): void {
    for (const fact of step.facts) {
      this.#jobs.apply(fact);
      this.#log.apply(fact, step.names);
    }
    this.#jobs.see(step.event);
    this.#log.ask(step);
  }

  page(): JournalPage {
    const jobs = this.#jobs.jobs();
    const cut = jobs.filter(({ outcome }) => outcome === "cut-off");
    const notes = cut.map(
      ({ id }): Note => ({
        kind: "cut-off",
        text: `the journal ends before ${id} does`,
        job: id,
      }),
    );
    const source = { format: "journal", files: [this.#place] } as const;
    const trace = { source, originMs: 0, jobs, notes };
    return { trace, log: this.#log, host: this.#host.host };
  }
}
