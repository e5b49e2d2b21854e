import { defined } from "../../../base/assert.ts";
import { addMoment, type Moments, noMoments } from "../../../base/moments.ts";
import type { Notice } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import {
  type AttemptId,
  type Instant,
  instant,
  type JobId,
  type PhaseId,
  type TaskId,
} from "../../../model/ids.ts";
import type { Context } from "../../policy.ts";
import type { YarnParams } from "./params.ts";

/** What was seen of an attempt when it last changed: TaskAttemptHistoryStatistics. */
export interface Look {
  /** Its estimated end, and its progress. */
  end: number;
  progress: number;
  at: Instant;
}

/** Of one job: each has an ApplicationMaster, and with it a speculator, of its own. */
export interface JobMemory {
  lookAt: Instant;
  /** runningTaskAttemptStatistics. */
  readonly looks: Map<AttemptId, Look>;
  /** Of the first success of each task, in ms. */
  readonly durations: Map<PhaseId, Moments>;
  /** Those tasks: one may be recomputed later. */
  readonly done: Set<TaskId>;
}

export interface YarnMemory {
  readonly jobs: Map<JobId, JobMemory>;
}

export type YarnContext = Context<YarnParams, YarnMemory>;

export const memoryOf = ({ memory }: YarnContext, job: JobId): JobMemory =>
  defined(memory.jobs.get(job), "a live job's memory");

export function learn(ctx: YarnContext, what: ClusterEvent | Notice): void {
  const { memory } = ctx;
  switch (what.kind) {
    case "job-submitted": {
      const durations = new Map(what.job.phases.map(({ id }) => [id, noMoments()]));
      const [looks, done] = [new Map(), new Set<TaskId>()];
      memory.jobs.set(what.job.id, { lookAt: instant(0), looks, durations, done });
      return;
    }
    case "job-ended":
      memory.jobs.delete(what.job);
      return;
    case "attempt-succeeded":
    case "attempt-failed":
    case "attempt-killed":
      jobOf(ctx, what.attempt)?.looks.delete(what.attempt);
      if (what.kind === "attempt-succeeded") learnSuccess(ctx, what.attempt);
      return;
    default:
  }
}

function jobOf({ memory, view }: YarnContext, id: AttemptId): JobMemory | undefined {
  return memory.jobs.get(view.phase(view.task(view.attempt(id).task).phase).job);
}

function learnSuccess(ctx: YarnContext, id: AttemptId): void {
  const { view } = ctx;
  const { endedAt, startedAt, task } = view.attempt(id);
  const job = jobOf(ctx, id);
  const durations = job?.durations.get(view.task(task).phase);
  if (job === undefined || durations === undefined || job.done.has(task)) return;
  job.done.add(task);
  if (startedAt !== undefined && endedAt !== undefined) addMoment(durations, endedAt - startedAt);
}
