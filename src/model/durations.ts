import { type Distribution, UNKNOWN } from "../base/distribution.ts";
import { addToSample, emptySample, type Sample } from "../base/sample.ts";
import type { Notice } from "./action.ts";
import type { ClusterEvent } from "./event.ts";
import type { PhaseId, TaskId } from "./ids.ts";
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

/** Records a success, and forgets an ended job. */
export function recordDurations(
  durations: Durations,
  what: ClusterEvent | Notice,
  recorder: Recorder,
): void {
  const { params, view } = recorder;
  // Room is made only at submission, so that nothing is kept for attempts that outlive their job.
  if (what.kind === "job-submitted") {
    for (const phase of what.job.phases) durations.set(phase.id, emptySample());
  } else if (what.kind === "job-ended") {
    for (const phase of view.job(what.job).phases) durations.delete(phase.id);
  } else if (what.kind === "attempt-succeeded" && params.samplesMax > 0) {
    const { startedAt, state, task } = view.attempt(what.attempt);
    const sample = durations.get(view.task(task).phase);
    if (state !== "succeeded" || startedAt === undefined || sample === undefined) return;
    addToSample(sample, what.at - startedAt, params.samplesMax, recorder);
  }
}

/** The duration of a new attempt of the task, estimated from the phase's succeeded attempts. */
export function durationOfNew(durations: Durations, view: View, task: TaskId): Distribution {
  const sample = durations.get(view.task(task).phase);
  if (sample === undefined || sample.seen === 0) return UNKNOWN;
  return { kind: "samples", rising: sample.rising };
}
