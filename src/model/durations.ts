import { type Distribution, UNKNOWN } from "../base/distribution.ts";
import { addToSample, emptySample, type Sample } from "../base/sample.ts";
import type { Notice } from "./action.ts";
import type { ClusterEvent } from "./event.ts";
import type { PhaseId, TaskId } from "./ids.ts";
import type { View } from "./view.ts";

/** How long the succeeded attempts of each live phase ran: what estimators remember. Plain data. */
export type Durations = Map<PhaseId, Sample>;

/** What an estimator's context gives. */
interface Recorder {
  readonly view: View;
  /** Most durations kept of a phase. */
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
  // Room is made at submission only, so that nothing is kept of attempts that outlive their job.
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

/** How long a new attempt of the task may take, going by those of its phase that have succeeded. */
export function durationOfNew(durations: Durations, view: View, task: TaskId): Distribution {
  const sample = durations.get(view.task(task).phase);
  if (sample === undefined || sample.seen === 0) return UNKNOWN;
  return { kind: "samples", rising: sample.rising };
}
