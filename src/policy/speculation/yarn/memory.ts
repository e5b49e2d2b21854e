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
      const fresh = {
        lookAt: instant(0),
        looks: new Map(),
        durations,
      };
      memory.jobs.set(what.job.id, fresh);
      return;
    }
    case "job-ended":
      memory.jobs.delete(what.job);
      return;
    case "attempt-succeeded":
    case "attempt-failed":
    case "attempt-killed":
      learnEnd(ctx, what.attempt);
      return;
    default:
  }
}

function learnEnd({ memory, view }: YarnContext, id: AttemptId): void {
  const { endedAt, startedAt, state, task } = view.attempt(id);
  const { phase } = view.task(task);
  const job = memory.jobs.get(view.phase(phase).job);
  job?.looks.delete(id);
  const durations = job?.durations.get(phase);
  if (durations === undefined || state !== "succeeded") return;
  if (startedAt === undefined || endedAt === undefined) return;
  // Only the first success of a task counts: it may be recomputed later.
  if (durations.count < view.counts(phase).done) addMoment(durations, endedAt - startedAt);
}
