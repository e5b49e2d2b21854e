import type { JobId } from "../../../model/ids.ts";
import type { HeardOf } from "../../policy.ts";
import { isMap } from "../../shared/slots.ts";
import type { CapacityContext } from "./memory.ts";

/** Counts an offer in which the job got no slot near its data. */
export function recordDecline(
  { memory }: CapacityContext,
  { job: id }: HeardOf<"slot-declined">,
): void {
  const job = memory.jobs.get(id);
  if (job !== undefined) job.missed += 1;
}

/** Counts an offer in which the job got a slot; a slot near its data resets the count. */
export function recordLaunch(
  { memory, view }: CapacityContext,
  { attempt, locality }: HeardOf<"attempt-assumed">,
): void {
  const { as, task: id } = view.attempt(attempt);
  const { phase, replicas } = view.task(id);
  if (!view.phase(phase).slots.some((kind) => isMap(view, kind))) return;
  const job = memory.jobs.get(view.jobOf(phase).id);
  if (job === undefined) return;
  // A task that was tried before is searched first, as if it were near its data; an untried task
  // without a place is searched last.
  const isPlaced = replicas.length > 0 && locality !== "any";
  const isNear = as === "original" ? isPlaced : as !== "speculative";
  job.missed = isNear ? 0 : job.missed + 1;
}

/**
 * Hadoop 1.2.1, JobInProgress.scheduleOffSwitch: a job goes off its rack once it has been offered
 * more slots than it has maps left (or than there are nodes), times its wait factor.
 */
export function maySwitchRack({ memory, view }: CapacityContext, id: JobId): boolean {
  const job = memory.jobs.get(id);
  if (job === undefined) return true;
  let left = job.maps;
  for (const phase of view.job(id).phases) {
    if (!phase.slots.some((kind) => isMap(view, kind))) continue;
    // A map whose output was lost counts as left again: it is not among those done.
    left -= view.counts(phase.id).done;
  }
  const required = Math.min(left, memory.nodes.size);
  // The present offer counts.
  return Math.fround(required * (job.waitFactor ?? 1)) < job.missed + 1;
}
