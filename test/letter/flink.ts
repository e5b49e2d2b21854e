import {
  type Books,
  doneIn,
  type PhaseBook,
  runningIn,
  successes,
  unended,
  waits,
} from "./books.ts";
import { everyLook } from "./every-look.ts";
import type { Ask, Letter, Params } from "./letter.ts";

/** ExecutionTimeBasedSlowTaskDetector and DefaultSpeculativeExecutionHandler (FLIP-168, 224). */
class Detector {
  /** The time until which a node is blocked. */
  private readonly blocked = new Map<number, number>();
  private readonly params: Record<string, number>;

  constructor(params: Params) {
    this.params = params;
  }

  look(books: Books): Ask[] {
    const slow = books.liveJobs
      .filter((job) => job.speculate)
      .flatMap((job) => job.phases.filter((phase) => phase.ready && !phase.tasks.some(waits)))
      .flatMap((phase) => this.slowIn(books, phase));
    // blockSlowNodes, before the new executions are made.
    const until = books.now + this.params.blockSlowNodeMs!;
    for (const { node } of slow) if (until > books.now) this.blocked.set(node.id, until);
    for (const [node, end] of this.blocked) if (end <= books.now) this.blocked.delete(node);
    const nodes = books.nodes.map(({ id }) => id).filter((id) => !this.blocked.has(id));
    const asks: Ask[] = [];
    // Slots are not allocated on nodes that are blocked now, also for earlier requests.
    for (const request of books.requests.values()) {
      if (books.nodes.every(({ id }) => request.admits(id) === nodes.includes(id))) continue;
      asks.push({ ask: "withdraw", request }, { ask: "request", task: request.task, nodes });
    }
    for (const task of new Set(slow.map((attempt) => attempt.task))) {
      // isSupportsConcurrentExecutionAttempts.
      if (!task.phase.speculate) continue;
      const waiting = [...books.requests.values()].filter((request) => request.task === task);
      const missing = this.params.maxConcurrentExecutions! - unended(task).length - waiting.length;
      for (let i = 0; i < missing; i++) asks.push({ ask: "request", task, nodes });
    }
    return asks;
  }

  private slowIn(books: Books, phase: PhaseBook) {
    const baseline = this.baselineOf(phase);
    if (baseline === undefined) return [];
    return runningIn(phase).filter((attempt) => {
      const ranMs = books.elapsed(attempt);
      return ranMs >= this.params.baselineLowerBoundMs! && ranMs >= baseline;
    });
  }

  /** The median of the first round(N * R) that finished, times M, cut to whole milliseconds. */
  private baselineOf(phase: PhaseBook): number | undefined {
    const ratio = this.params.baselineRatio!;
    if (doneIn(phase) < ratio * phase.tasks.length) return undefined;
    const count = Math.round(phase.tasks.length * ratio);
    if (count === 0) return 0;
    // A recomputed task has another execution, and the first is no longer current.
    const last = new Map(successes(phase).map((attempt) => [attempt.task, attempt]));
    const rising = [...last.values()]
      .filter(({ task }) => task.done)
      .map(({ startedAt, endedAt }) => endedAt - startedAt)
      .sort((a, b) => a - b);
    const median = rising.slice(0, count)[Math.floor(count / 2)];
    return median === undefined ? undefined : Math.floor(median * this.params.baselineMultiplier!);
  }
}

export const flink: Letter = {
  policy: "flink",
  acts: [
    "request slower-than-baseline",
    "request blocked-nodes-changed",
    "withdraw blocked-nodes-changed",
    "bind request-bound",
  ],
  discipline: "flink",
  draw: (dice) => ({
    checkIntervalMs: dice.pick([1_000, 1_000, 3_000]),
    baselineRatio: dice.pick([0.75, 0.75, 0.5, 0.2]),
    baselineMultiplier: dice.pick([1.5, 1.5, 1.1]),
    baselineLowerBoundMs: dice.pick([60_000, 20_000, 0]),
    maxConcurrentExecutions: dice.pick([2, 2, 3]),
    blockSlowNodeMs: dice.pick([60_000, 20_000, 0]),
  }),
  defaults: {
    checkIntervalMs: 1_000,
    baselineRatio: 0.75,
    baselineMultiplier: 1.5,
    baselineLowerBoundMs: 60_000,
    maxConcurrentExecutions: 2,
    blockSlowNodeMs: 60_000,
  },
  rules(params) {
    const detector = new Detector(params);
    return everyLook(params.checkIntervalMs ?? 1_000, (books) => detector.look(books));
  },
};
