import { type Distribution, UNKNOWN } from "../../base/distribution.ts";
import { addToSample, emptySample, type Sample } from "../../base/sample.ts";
import type { AttemptId, Instant, PhaseId, TaskId } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Hears } from "../policy.ts";

/**
 * Durations of each live phase's succeeded attempts, in ms, which estimators remember. Plain data.
 */
export type Durations = Map<PhaseId, Sample>;

/** The parameters of an estimator that takes a new copy's duration from those of the others. */
export const DURATIONS_PARAMS = params({
  /** Durations of succeeded attempts kept for `newCopy`. Ours. */
  samplesMax: {
    default: 1000,
    min: 1,
    whole: true,
    about: "most durations kept per phase, to estimate a new copy's",
  },
});

export type DurationsParams = ParamsOf<typeof DURATIONS_PARAMS>;

/** The events by which a memory of nothing but durations stays up to date. */
export const HEARS_DURATIONS = {
  "job-submitted": ({ memory }, { job }) => beginDurations(memory, job),
  "job-ended": ({ memory, view }, { job }) => endDurations(memory, view.job(job)),
  "attempt-succeeded": (ctx, what) => recordDuration(ctx.memory, what, ctx),
} as const satisfies Hears<DurationsParams, Durations>;

/** The part of an estimator's context that is used here. */
interface Recorder {
  readonly view: View;
  /** The most durations kept per phase. */
  readonly params: { readonly samplesMax: number };
  random(): number;
}

/**
 * Makes room for a job's durations. Room is made only at submission, so that nothing is kept for
 * attempts that outlive their job.
 */
export function beginDurations(durations: Durations, { phases }: Job): void {
  for (const { id } of phases) durations.set(id, emptySample());
}

export function endDurations(durations: Durations, { phases }: Job): void {
  for (const { id } of phases) durations.delete(id);
}

/** Records an attempt that succeeded. */
export function recordDuration(
  durations: Durations,
  { at, attempt }: { readonly at: Instant; readonly attempt: AttemptId },
  recorder: Recorder,
): void {
  const { params, view } = recorder;
  if (params.samplesMax === 0) return;
  const { startedAt, state, task } = view.attempt(attempt);
  const sample = durations.get(view.task(task).phase);
  if (state !== "succeeded" || startedAt === undefined || sample === undefined) return;
  addToSample(sample, at - startedAt, params.samplesMax, recorder);
}

/** The duration of a new attempt of the task, estimated from the phase's succeeded attempts. */
export function durationOfNew(durations: Durations, view: View, task: TaskId): Distribution {
  const sample = durations.get(view.task(task).phase);
  if (sample === undefined || sample.seen === 0) return UNKNOWN;
  return { kind: "samples", rising: sample.rising };
}
