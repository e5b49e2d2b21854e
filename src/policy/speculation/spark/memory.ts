import { addToMedian, noneRanked, type Ranked } from "../../../base/ranked.ts";
import type { AttemptId, PhaseId } from "../../../model/ids.ts";
import type { Context, Hears } from "../../policy.ts";
import type { SparkParams } from "./params.ts";

/** The successful attempts of one phase. */
export interface StageMemory {
  /** Their durations from launch to end, in ms: successfulTaskDurations. */
  readonly durations: Ranked;
  /** TaskProcessRateCalculator: the records that they read, and the time that they ran. */
  records: number;
  ms: number;
}

export interface SparkMemory {
  readonly stages: Map<PhaseId, StageMemory>;
}

export type SparkContext = Context<SparkParams, SparkMemory>;

export const hears: Hears<SparkParams, SparkMemory> = {
  "job-submitted"({ memory }, { job }) {
    for (const { id } of job.phases) {
      memory.stages.set(id, { durations: noneRanked(), records: 0, ms: 0 });
    }
  },
  "job-ended"({ memory, view }, { job }) {
    for (const { id } of view.job(job).phases) memory.stages.delete(id);
  },
  "attempt-succeeded": (ctx, { attempt }) => recordSuccess(ctx, attempt),
};

function recordSuccess({ memory, view }: SparkContext, id: AttemptId): void {
  const { endedAt, launchedAt, startedAt, task } = view.attempt(id);
  const stage = memory.stages.get(view.task(task).phase);
  if (stage === undefined || endedAt === undefined) return;
  addToMedian(stage.durations, endedAt - launchedAt);
  stage.records += view.progress(id).records;
  stage.ms += endedAt - (startedAt ?? launchedAt);
}
