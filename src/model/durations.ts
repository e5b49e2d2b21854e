import { type Distribution, UNKNOWN } from "../base/distribution.ts";
import { addToSample, emptySample, type Sample } from "../base/sample.ts";
import type { AttemptId, Instant, PhaseId, TaskId } from "./ids.ts";
import type { Job } from "./job.ts";
import type { View } from "./view.ts";

/**
 * Durations of each live phase's succeeded attempts, in ms, which estimators remember. Plain data.
 */
export type Durations = Map<PhaseId, Sample>;

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
