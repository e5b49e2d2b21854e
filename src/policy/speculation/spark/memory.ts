import { addToMedian, noneRanked, type Ranked } from "../../../base/ranked.ts";
import type { Notice } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { AttemptId, PhaseId } from "../../../model/ids.ts";
import type { Context } from "../../policy.ts";
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

export function record(ctx: SparkContext, what: ClusterEvent | Notice): void {
  const { stages } = ctx.memory;
  if (what.kind === "job-submitted") {
    for (const { id } of what.job.phases)
      stages.set(id, { durations: noneRanked(), records: 0, ms: 0 });
  } else if (what.kind === "job-ended") {
    for (const { id } of ctx.view.job(what.job).phases) stages.delete(id);
  } else if (what.kind === "attempt-succeeded") recordSuccess(ctx, what.attempt);
}

function recordSuccess({ memory, view }: SparkContext, id: AttemptId): void {
  const { endedAt, launchedAt, startedAt, task } = view.attempt(id);
  const stage = memory.stages.get(view.task(task).phase);
  if (stage === undefined || endedAt === undefined) return;
  addToMedian(stage.durations, endedAt - launchedAt);
  stage.records += view.progress(id).records;
  stage.ms += endedAt - (startedAt ?? launchedAt);
}
