import { defined } from "../../../base/assert.ts";
import { addMoment, type Moments, noMoments } from "../../../base/moments.ts";
import {
  type AttemptId,
  type Instant,
  instant,
  type JobId,
  type PhaseId,
  type TaskId,
} from "../../../model/ids.ts";
import type { Context, Hears } from "../../policy.ts";
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
  /** The tasks that have succeeded once, which may be recomputed later. */
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

export const hears: Hears<YarnParams, YarnMemory> = {
  "job-submitted"({ memory }, { job }) {
    memory.jobs.set(job.id, {
      lookAt: instant(0),
      looks: new Map(),
      durations: new Map(job.phases.map(({ id }) => [id, noMoments()])),
      done: new Set(),
      askedAt: new Map(),
      unreplaced: new Map(),
    });
  },
  "job-ended"({ memory }, { job }) {
    memory.jobs.delete(job);
  },
  "attempt-started"(ctx, { attempt }) {
    const { as, task } = ctx.view.attempt(attempt);
    const job = jobOf(ctx, attempt);
    if (job !== undefined && as !== "speculative") replaced(job, task);
  },
  "attempt-succeeded"(ctx, { attempt }) {
    const job = jobOf(ctx, attempt);
    if (job === undefined) return;
    job.looks.delete(attempt);
    job.unreplaced.delete(ctx.view.attempt(attempt).task);
    recordSuccess(ctx, attempt);
  },
  "attempt-failed"(ctx, { attempt }) {
    jobOf(ctx, attempt)?.looks.delete(attempt);
  },
  "attempt-killed"(ctx, { attempt }) {
    const { task } = ctx.view.attempt(attempt);
    const job = jobOf(ctx, attempt);
    if (job === undefined) return;
    job.looks.delete(attempt);
    if (ctx.has("slot-offers") || !isNeeded(ctx, task)) return;
    job.unreplaced.set(task, (job.unreplaced.get(task) ?? 0) + 1);
  },
};

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
