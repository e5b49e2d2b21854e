import { onPaper } from "../../../base/on-paper.ts";
import { addRanked, noneRanked, type Ranked } from "../../../base/ranked.ts";
import type { AttemptId, Instant, JobId, NodeId, PhaseId, TaskId } from "../../../model/ids.ts";
import type { Phase } from "../../../model/job.ts";
import type { Context, Hears } from "../../policy.ts";
import type { FlinkParams } from "./params.ts";

/** The memory of one job: each job has a JobMaster of its own, and with it a detector. */
export interface FlinkJobMemory {
  /** The time in ms from launch to end of each task's last execution. */
  readonly durations: Map<TaskId, number>;
  /**
   * The done tasks' durations by phase, ranked, until a task is recomputed: the median is read
   * every second.
   */
  readonly medians: Map<PhaseId, Ranked>;
}

export interface FlinkMemory {
  readonly jobs: Map<JobId, FlinkJobMemory>;
  /**
   * Nodes where a task of any job is or was slow, with the time until which they get no copies: the
   * ResourceManager tells every JobMaster (FLIP-224).
   */
  readonly blocked: Map<NodeId, Instant>;
}

export type FlinkContext = Context<FlinkParams, FlinkMemory>;

export const hears: Hears<FlinkParams, FlinkMemory> = {
  "job-submitted"({ memory }, { job }) {
    const medians = new Map(job.phases.map(({ id }) => [id, noneRanked()]));
    memory.jobs.set(job.id, { durations: new Map(), medians });
  },
  "job-ended"({ memory }, { job }) {
    memory.jobs.delete(job);
  },
  "attempt-succeeded": (ctx, { attempt }) => recordSuccess(ctx, attempt),
};

function recordSuccess({ memory, params, view }: FlinkContext, id: AttemptId): void {
  const { endedAt, launchedAt, task } = view.attempt(id);
  const phase = view.phase(view.task(task).phase);
  const job = memory.jobs.get(phase.job);
  if (endedAt === undefined || job === undefined) return;
  const isMadeAgain = job.durations.has(task);
  const ms = onPaper(endedAt - launchedAt);
  job.durations.set(task, ms);
  if (isMadeAgain) job.medians.delete(phase.id);
  const median = job.medians.get(phase.id);
  if (median !== undefined) addRanked(median, ms, medianRank(phase, params));
}

/** The rank of the median among the fastest N * R tasks. */
export const medianRank = ({ tasks }: Phase, { baselineRatio }: FlinkParams): number =>
  Math.floor(Math.round(tasks.length * baselineRatio) / 2);
