import { isClearlyAbove, isClearlyBelow } from "../../base/clearly-below.ts";
import { addToMedian, countOf, noneRanked, type Ranked, rankedOf } from "../../base/ranked.ts";
import type { Ask } from "../../model/action.ts";
import type { Attempt, Where } from "../../model/attempt.ts";
import { type AttemptId, after, type PhaseId } from "../../model/ids.ts";
import type { Phase } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { withDefaults } from "../params.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { eachCopyable } from "../shared/copyable-phases.ts";
import { liveAttempts } from "../shared/live-attempts.ts";
import { SPARK_PARAMS, type SparkParams } from "./spark/params.ts";

/**
 * Once most tasks of a phase are done, copies every task that has run for much longer than the
 * median onto another node, unless the task is efficient.
 */
export const spark35: SpeculationPolicy<SparkParams, SparkMemory> = {
  name: "spark-3.5",
  source: "Spark 3.5, TaskSetManager.checkSpeculatableTasks",
  params: SPARK_PARAMS,
  needs: ["requests"],
  remember: () => ({ stages: new Map() }),
  hears: {
    "job-submitted"({ memory }, { job }) {
      for (const { id } of job.phases) {
        memory.stages.set(id, { durations: noneRanked(), records: 0, ms: 0 });
      }
    },
    "job-ended"({ memory, view }, { job }) {
      for (const { id } of view.job(job).phases) memory.stages.delete(id);
    },
    "attempt-succeeded": (ctx, { attempt }) => recordSuccess(ctx, attempt),
  },

  // TaskSchedulerImpl.checkSpeculatableTasks, at a fixed interval.
  scan(ctx) {
    const { params, view } = ctx;
    const asks = [...view.jobs()].flatMap((job) =>
      eachCopyable(ctx, job, (phase) => checkPhase(ctx, phase)),
    );
    return [...asks, { kind: "wake", at: after(view.now, params.intervalMs) }];
  },
};

/** Spark 4.0's defaults copy later than those of 3.5, and fewer tasks. */
export const spark4: SpeculationPolicy<SparkParams, SparkMemory> = {
  ...spark35,
  name: "spark-4",
  source: "Spark 4.0, TaskSetManager.checkSpeculatableTasks",
  params: withDefaults(SPARK_PARAMS, { quantile: 0.9, multiplier: 3 }),
};

/** The successful attempts of one phase. */
interface StageMemory {
  /** Their durations from launch to end, in ms: successfulTaskDurations. */
  readonly durations: Ranked;
  /** TaskProcessRateCalculator: the records that they read, and the time that they ran. */
  records: number;
  ms: number;
}

interface SparkMemory {
  readonly stages: Map<PhaseId, StageMemory>;
}

type SparkContext = Context<SparkParams, SparkMemory>;

function recordSuccess({ memory, view }: SparkContext, id: AttemptId): void {
  const { endedAt, launchedAt, startedAt, task } = view.attempt(id);
  const stage = memory.stages.get(view.task(task).phase);
  if (stage === undefined || endedAt === undefined) return;
  addToMedian(stage.durations, endedAt - launchedAt);
  stage.records += view.progress(id).records;
  stage.ms += endedAt - (startedAt ?? launchedAt);
}

/** checkSpeculatableTasks, for one TaskSet. */
function checkPhase(ctx: SparkContext, phase: Phase): readonly Ask[] {
  const { memory, params, view } = ctx;
  const { tasks, waiting } = view.counts(phase.id);
  const stage = memory.stages.get(phase.id);
  if (stage === undefined) return [];
  const { taskDurationThresholdMs } = params;
  // A single task has no median to compare with.
  if (tasks === 1 && taskDurationThresholdMs === 0) return refuse(ctx, "single-task", () => ({}));
  // dequeueTask: a slot goes to a waiting task before a copy.
  if (waiting > 0) return refuse(ctx, "tasks-wait", () => ({ waiting }));
  const done = countOf(stage.durations);
  const doneMin = Math.max(Math.floor(params.quantile * tasks), 1);
  if (done >= doneMin) {
    // PercentileHeap.percentile: for an even count, the upper of the two middle values.
    const medianMs = rankedOf(stage.durations) ?? 0;
    const thresholdMs = Math.max(params.multiplier * medianMs, params.minTaskRuntimeMs);
    return checkTasks(ctx, phase, { thresholdMs, stage });
  }
  // SPARK-29976: a phase that fits one executor, with a threshold set by the user.
  if (taskDurationThresholdMs > 0 && tasks <= Math.max(params.executorSlots, 1)) {
    return checkTasks(ctx, phase, { thresholdMs: taskDurationThresholdMs });
  }
  return refuse(ctx, "too-few-done", () => ({ done, doneMin }));
}

interface Threshold {
  readonly thresholdMs: number;
  /** Missing if the threshold is the user's, where efficiency does not matter. */
  readonly stage?: StageMemory;
}

/** checkAndSubmitSpeculatableTasks. COST: O(tasks that have run for longer than the threshold). */
function checkTasks(ctx: SparkContext, phase: Phase, threshold: Threshold): readonly Ask[] {
  const { view } = ctx;
  const queued = new Set([...view.requests(phase.id)].map(({ task }) => task));
  const asks: Ask[] = [];
  let passed: Passed | undefined;
  for (const { id } of view.runningTasks(phase.id)) {
    const [attempt, copy] = liveAttempts(view, id);
    if (attempt === undefined) continue;
    const figures = figuresOf(ctx, attempt, threshold);
    const rule =
      copy !== undefined || queued.has(id) ? "already-speculated" : refusalOf(ctx, figures);
    if (rule === undefined) asks.push(copyOf(view, attempt, figures));
    else if (passed === undefined || passed.rule === "already-speculated") {
      passed = { rule, figures, attempt };
    }
    // Attempts come in launch order: later ones have run no longer.
    if (!isClearlyAbove(figures.runtimeMs, figures.thresholdMs)) break;
  }
  if (asks.length > 0) return asks;
  if (passed === undefined) return refuse(ctx, "nothing-running", () => ({}));
  const { rule, figures, attempt } = passed;
  return refuse(ctx, rule, () => ({ ...figures }), attempt.task);
}

interface Passed {
  readonly rule: Refusal;
  readonly figures: Figures;
  readonly attempt: Attempt;
}

type Refusal = "already-speculated" | "not-slow" | "efficient";

/** The figures by which a task is judged. */
interface Figures {
  readonly runtimeMs: number;
  readonly thresholdMs: number;
  readonly recordsPerS: number;
  /** Infinity: every rate is too low. */
  readonly slowRecordsPerS: number;
}

function figuresOf(
  { params, view }: SparkContext,
  attempt: Attempt,
  { thresholdMs, stage }: Threshold,
): Figures {
  const { id, launchedAt, startedAt } = attempt;
  const isFiltered = params.efficiencyEnabled && stage !== undefined;
  const report = view.progress(id);
  return {
    runtimeMs: view.now - launchedAt,
    thresholdMs,
    // As of the executor's last heartbeat.
    recordsPerS: rateOf(report.records, report.at - (startedAt ?? report.at)),
    slowRecordsPerS: isFiltered
      ? averageRateOf(stage) * params.processRateMultiplier
      : Number.POSITIVE_INFINITY,
  };
}

function refusalOf({ params }: SparkContext, figures: Figures): Refusal | undefined {
  const { runtimeMs, thresholdMs, recordsPerS, slowRecordsPerS } = figures;
  if (!isClearlyAbove(runtimeMs, thresholdMs)) return "not-slow";
  // SPARK-32170: a task with much to read that reads efficiently needs no copy, for a while.
  const isLong = isClearlyAbove(runtimeMs, params.longRunTaskFactor * thresholdMs);
  return isLong || isClearlyBelow(recordsPerS, slowRecordsPerS) ? undefined : "efficient";
}

/** TaskSchedulerImpl.getTaskProcessRate: records per second; 0 if there are none. */
export const rateOf = (records: number, ms: number): number =>
  records > 0 && ms > 0 ? records / (ms / 1_000) : 0;

/**
 * Over the successful tasks; Infinity while these have read no records, so that no rate is enough.
 */
const averageRateOf = ({ records, ms }: StageMemory): number =>
  records > 0 && ms > 0 ? rateOf(records, ms) : Number.POSITIVE_INFINITY;

function copyOf(view: View, { task }: Attempt, figures: Figures): Ask {
  // hasAttemptOnHost: never on a node where an attempt of the task has been.
  const nodes = [...new Set(view.attemptsOf(task).map(({ node }) => node))];
  const where: Where = { on: "all-but", nodes };
  const why = { rule: "longer-than-threshold", numbers: { ...figures } };
  return { kind: "request", task, as: "speculative", where, why };
}
