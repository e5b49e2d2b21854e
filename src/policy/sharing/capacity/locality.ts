import type { Notice } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { JobId } from "../../../model/ids.ts";
import { isMap } from "../../shared/slots.ts";
import type { CapacityContext } from "./memory.ts";

/** Counts how often a job has been offered a slot since it last got one near its data. */
export function recordOpportunities(ctx: CapacityContext, what: ClusterEvent | Notice): void {
  const { memory, view } = ctx;
  if (what.kind === "slot-declined") {
    const job = memory.jobs.get(what.job);
    if (job !== undefined) job.missed += 1;
  } else if (what.kind === "attempt-assumed") {
    const { as, task: id } = view.attempt(what.attempt);
    const { phase, replicas } = view.task(id);
    if (!view.phase(phase).slots.some((kind) => isMap(view, kind))) return;
    const job = memory.jobs.get(view.jobOf(phase).id);
    if (job === undefined) return;
    // A task that was tried before is searched first, as if it were near its data; an untried task
    // without a place is searched last.
    const isPlaced = replicas.length > 0 && what.locality !== "any";
    const isNear = as === "original" ? isPlaced : as !== "speculative";
    job.missed = isNear ? 0 : job.missed + 1;
  }
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
