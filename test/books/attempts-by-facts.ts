import type { ClusterEvent } from "../../src/model/event.ts";
import type { Fact } from "../../src/model/fact.ts";
import { type Instant, instant } from "../../src/model/ids.ts";
import type { AttemptFacts } from "../../src/run/run-result.ts";

/** An attempt as a book has it. Times in ms since the host's start. */
export interface Row {
  /** `job/phase/index#ordinal` */
  readonly name: string;
  readonly node: string;
  /** How it ended. */
  readonly end: string;
  readonly startedAt: number;
  /** When its node was last heard. */
  readonly heardAt: number;
  readonly endedAt: number;
  readonly slotMs: number;
}

interface Open {
  readonly job: number;
  readonly name: string;
  readonly node: string;
  readonly startedAt: number;
}

/**
 * The attempts of a run by the facts of its steps and the plainest rules of the glossary. The class
 * shares no code with the folds of `src`.
 */
export class AttemptsByFacts {
  readonly #ended: Row[] = [];
  readonly #open = new Map<number, Open>();
  readonly #tasks = new Map<number, { job: number; name: string; launches: number }>();
  readonly #nodes = new Map<number, string>();
  readonly #jobEnds = new Map<number, number>();
  #now = instant(0);

  step({ event, facts }: { readonly event: ClusterEvent; readonly facts: readonly Fact[] }): void {
    this.#now = event.at;
    for (const fact of facts) this.#apply(fact);
  }

  /** When the record ends. */
  get now(): Instant {
    return this.#now;
  }

  /** Of attempts that have ended. */
  get ended(): readonly Row[] {
    return this.#ended;
  }

  /** Of all attempts that ran. An open one was killed when its job ended, or is cut off. */
  get all(): readonly Row[] {
    const open = [...this.#open.values()].map((one) => {
      const jobEnd = this.#jobEnds.get(one.job);
      const at = jobEnd ?? this.#now;
      return rowOf(one, { end: jobEnd === undefined ? "cut-off" : "killed", heardAt: at, at });
    });
    return [...this.#ended, ...open];
  }

  #apply(fact: Fact): void {
    if (fact.kind === "node-joined") this.#nodes.set(fact.node.id, fact.node.name);
    if (fact.kind === "job-ended") this.#jobEnds.set(fact.job, fact.at);
    if (fact.kind === "job-submitted") {
      const { id: job, name, phases } = fact.job;
      for (const phase of phases) {
        for (const { id, index } of phase.tasks) {
          this.#tasks.set(id, { job, name: `${name}/${phase.name}/${index}`, launches: 0 });
        }
      }
    }
    if (fact.kind === "attempt-launched") {
      const task = this.#tasks.get(fact.task);
      if (task === undefined) throw new Error(`task ${fact.task} has no job`);
      const name = `${task.name}#${task.launches}`;
      task.launches += 1;
      const node = this.#nodes.get(fact.node) ?? "unknown";
      this.#open.set(fact.attempt, { job: task.job, name, node, startedAt: fact.at });
    }
    if (fact.kind === "attempt-ended") {
      const open = this.#open.get(fact.attempt);
      if (open === undefined) throw new Error(`attempt ${fact.attempt} ended and was not open`);
      this.#open.delete(fact.attempt);
      const { end, at } = fact;
      if (end.how === "refused") return;
      // A node that was silent at the launch was last heard before it.
      const heardAt = end.how === "lost" ? Math.max(end.since, open.startedAt) : at;
      this.#ended.push(rowOf(open, { end: end.how, heardAt, at }));
    }
  }
}

/** The attempts that a run's summary lists. */
export const ofSummary = (attempts: readonly AttemptFacts[]): readonly Row[] =>
  attempts.map(({ attempt: name, node, end, launchedAt, endedAt, slotMs }) => {
    const startedAt = launchedAt;
    const heardAt = launchedAt + slotMs;
    return { name, node, end: end.kind, startedAt, heardAt, endedAt, slotMs };
  });

export const sorted = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));

const rowOf = (
  { name, node, startedAt }: Open,
  { end, heardAt, at }: { readonly end: string; readonly heardAt: number; readonly at: number },
): Row => ({ name, node, end, startedAt, heardAt, endedAt: at, slotMs: heardAt - startedAt });
