import { defined } from "../../../base/assert.ts";
import { addMoment, type Moments, noMoments } from "../../../base/moments.ts";
import type { Notice } from "../../../model/action.ts";
import type { AttemptEvent, ClusterEvent } from "../../../model/event.ts";
import {
  type AttemptId,
  type Instant,
  instant,
  type JobId,
  type PhaseId,
  type TaskId,
} from "../../../model/ids.ts";
import type { Context } from "../../policy.ts";
import { liveAttempts } from "../../shared/live-attempts.ts";
import type { YarnParams } from "./params.ts";

/** An attempt as of its last change: TaskAttemptHistoryStatistics. */
export interface YarnLook {
  /** The attempt's estimated end, and its progress. */
  end: number;
  progress: number;
  at: Instant;
}

/** The memory of one job: each has an ApplicationMaster of its own, and with it a speculator. */
export interface YarnJobMemory {
  lookAt: Instant;
  /** runningTaskAttemptStatistics. */
  readonly looks: Map<AttemptId, YarnLook>;
  /** Durations of the first success of each task, in ms. */
  readonly durations: Map<PhaseId, Moments>;
  /** The tasks with such a success: one may be recomputed later. */
  readonly done: Set<TaskId>;
  /** When the task's last copy was requested; the keys are mayHaveSpeculated. */
  readonly askedAt: Map<TaskId, Instant>;
  /**
   * On a host that starts attempts by itself: the killed attempts that no other has replaced yet.
   */
  readonly unreplaced: Map<TaskId, number>;
}

export interface YarnMemory {
  readonly jobs: Map<JobId, YarnJobMemory>;
}

export type YarnContext = Context<YarnParams, YarnMemory>;

export const memoryOf = ({ memory }: YarnContext, job: JobId): YarnJobMemory =>
  defined(memory.jobs.get(job), "a live job's memory");

export function record(ctx: YarnContext, what: ClusterEvent | Notice): void {
  const { memory } = ctx;
  switch (what.kind) {
    case "job-submitted": {
      const durations = new Map(what.job.phases.map(({ id }) => [id, noMoments()]));
      memory.jobs.set(what.job.id, {
        lookAt: instant(0),
        looks: new Map(),
        durations,
        done: new Set(),
        askedAt: new Map(),
        unreplaced: new Map(),
      });
      return;
    }
    case "job-ended":
      memory.jobs.delete(what.job);
      return;
    case "attempt-started":
    case "attempt-succeeded":
    case "attempt-failed":
    case "attempt-killed":
      recordOf(ctx, what);
      return;
    default:
  }
}

function recordOf(ctx: YarnContext, { kind, attempt: id }: ClusterEvent & AttemptEvent): void {
  const job = jobOf(ctx, id);
  if (job === undefined) return;
  const { as, task } = ctx.view.attempt(id);
  if (kind === "attempt-started") {
    if (as !== "speculative") replaced(job, task);
    return;
  }
  job.looks.delete(id);
  if (kind === "attempt-succeeded") {
    job.unreplaced.delete(task);
    recordSuccess(ctx, id);
  } else if (kind === "attempt-killed" && !ctx.has("slot-offers") && isNeeded(ctx, task)) {
    job.unreplaced.set(task, (job.unreplaced.get(task) ?? 0) + 1);
  }
}

/** An ApplicationMaster replaces a killed attempt even beside a running copy (TaskImpl). */
const isNeeded = ({ view }: YarnContext, task: TaskId): boolean =>
  view.isWaiting(task) || liveAttempts(view, task).length > 0;

function replaced({ unreplaced }: YarnJobMemory, task: TaskId): void {
  const left = (unreplaced.get(task) ?? 0) - 1;
  if (left > 0) unreplaced.set(task, left);
  else unreplaced.delete(task);
}

function jobOf({ memory, view }: YarnContext, id: AttemptId): YarnJobMemory | undefined {
  return memory.jobs.get(view.phase(view.task(view.attempt(id).task).phase).job);
}

function recordSuccess(ctx: YarnContext, id: AttemptId): void {
  const { view } = ctx;
  const { endedAt, startedAt, task } = view.attempt(id);
  const job = jobOf(ctx, id);
  const durations = job?.durations.get(view.task(task).phase);
  if (job === undefined || durations === undefined || job.done.has(task)) return;
  job.done.add(task);
  if (startedAt !== undefined && endedAt !== undefined) addMoment(durations, endedAt - startedAt);
}
