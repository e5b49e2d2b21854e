import {
  type AttemptBook,
  type Books,
  type PhaseBook,
  runningIn,
  successes,
  unended,
  waits,
} from "./books.ts";
import { everyLook } from "./every-look.ts";
import { sum } from "./figures.ts";
import type { Ask, Letter, Params } from "./letter.ts";

/** org.apache.spark.scheduler.TaskSetManager.checkSpeculatableTasks, 3.5 and 4.0. */
function checkPhase(books: Books, phase: PhaseBook, params: Params): Ask[] {
  const p = params as Record<string, number>;
  const tasks = phase.tasks.length;
  const isGiven = p.taskDurationThresholdMs! > 0;
  // Waiting tasks go first: the look at a phase comes once none of its tasks waits.
  if (phase.tasks.some(waits) || (tasks === 1 && !isGiven)) return [];
  const minFinished = Math.max(Math.floor(p.quantile! * tasks), 1);
  // successfulTaskDurations: a task that runs again still counts as succeeded.
  if (successes(phase).length >= minFinished) {
    const thresholdMs = Math.max(p.multiplier! * medianMs(phase), p.minTaskRuntimeMs!);
    return speculatable(books, phase, thresholdMs, (attempt) =>
      isInefficient(books, attempt, { params: p, thresholdMs }),
    );
  }
  // SPARK-29976: a threshold given by the user, for no more tasks than one executor has slots.
  if (!isGiven || tasks > p.executorSlots!) return [];
  const thresholdMs = Math.max(p.taskDurationThresholdMs!, p.minTaskRuntimeMs!);
  return speculatable(books, phase, thresholdMs, () => true);
}

/** The upper one of two in the middle (PercentileHeap). */
function medianMs(phase: PhaseBook): number {
  const rising = successes(phase)
    .map(({ startedAt, endedAt }) => endedAt - startedAt)
    .sort((a, b) => a - b);
  return rising[Math.floor(rising.length / 2)] ?? 0;
}

/** copiesRunning(index) == 1, not in the queue, and longer than the threshold. */
const speculatable = (
  books: Books,
  phase: PhaseBook,
  thresholdMs: number,
  isSlow: (attempt: AttemptBook) => boolean,
): Ask[] =>
  runningIn(phase).flatMap((attempt): Ask[] => {
    const { task } = attempt;
    if (unended(task).length > 1 || books.isRequested(task)) return [];
    if (books.elapsed(attempt) <= thresholdMs || !isSlow(attempt)) return [];
    // hasAttemptOnHost: on no host where an attempt of it has been.
    const nodes = books.nodes.map(({ id }) => id);
    return [
      {
        ask: "request",
        task,
        nodes: nodes.filter((id) => !task.attempts.some((one) => one.node.id === id)),
      },
    ];
  });

/** SPARK-32170: long beyond all measure, or reading records more slowly than most. */
function isInefficient(
  books: Books,
  attempt: AttemptBook,
  { params, thresholdMs }: { params: Record<string, number>; thresholdMs: number },
): boolean {
  if (params.efficiencyEnabled === 0) return true;
  if (books.elapsed(attempt) > params.longRunTaskFactor! * thresholdMs) return true;
  const done = successes(attempt.task.phase);
  const records = sum(done.map(({ task }) => task.records));
  const average =
    records === 0
      ? Number.POSITIVE_INFINITY
      : records / sum(done.map(({ startedAt, endedAt }) => endedAt - startedAt));
  const readMs = books.seenAt(attempt) - attempt.startedAt;
  const rate = readMs > 0 ? (books.score(attempt) * attempt.task.records) / readMs : 0;
  return rate < params.processRateMultiplier! * average;
}

const spark = (policy: "spark-3.5" | "spark-4", defaults: Params): Letter => ({
  policy,
  acts: ["request longer-than-threshold", "bind request-bound"],
  discipline: policy,
  draw: (dice) => ({
    intervalMs: dice.pick([100, 1_000, 1_000, 3_000, 3_000]),
    quantile: dice.pick([defaults.quantile!, 0.5, 0.25]),
    multiplier: dice.pick([defaults.multiplier!, 1.5, 1]),
    minTaskRuntimeMs: dice.pick([100, 100, 30_000]),
    taskDurationThresholdMs: dice.pick([0, 0, 40_000]),
    executorSlots: dice.pick([1, 8]),
    processRateMultiplier: dice.pick([0.75, 0.75, 1]),
    longRunTaskFactor: dice.pick([2, 2, 1.2]),
  }),
  defaults: {
    ...defaults,
    intervalMs: 100,
    minTaskRuntimeMs: 100,
    taskDurationThresholdMs: 0,
    executorSlots: 1,
    processRateMultiplier: 0.75,
    longRunTaskFactor: 2,
  },
  world: { records: true },
  rules: (params) =>
    everyLook(params.intervalMs ?? 100, (books) =>
      books.liveJobs
        .filter((job) => job.speculate)
        .flatMap((job) => job.phases.filter(({ ready, speculate }) => ready && speculate))
        .flatMap((phase) => checkPhase(books, phase, params)),
    ),
});

export const spark35 = spark("spark-3.5", { quantile: 0.75, multiplier: 1.5 });
export const spark4 = spark("spark-4", { quantile: 0.9, multiplier: 3 });
