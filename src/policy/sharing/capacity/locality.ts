import type { Notice } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { JobId } from "../../../model/ids.ts";
import { isMap } from "../../shared/slots.ts";
import type { CapacityContext } from "./memory.ts";

/** Learns how often a job has been offered a slot since it last had one near its data. */
export function learnOpportunities(ctx: CapacityContext, what: ClusterEvent | Notice): void {
  const { memory, view } = ctx;
  if (what.kind === "slot-declined") {
    const job = memory.jobs.get(what.job);
    if (job !== undefined) job.missed += 1;
  } else if (what.kind === "attempt-assumed") {
    const { as, task: id } = view.attempt(what.attempt);
    const task = view.task(id);
    const job = memory.jobs.get(view.jobOf(task.phase).id);
    if (job === undefined || task.replicas.length === 0) return;
    // What was tried before is looked for first, as if it were near its data.
    const isNear = what.locality !== "any" || (as !== "original" && as !== "speculative");
    job.missed = isNear && as !== "speculative" ? 0 : job.missed + 1;
  }
}

/**
 * Hadoop 1.2.1, JobInProgress.scheduleOffSwitch: a job goes off its rack once it has been offered
 * more slots than it has maps left (or than there are nodes), less the fewer nodes have its input.
 */
export function maySwitchRack(ctx: CapacityContext, id: JobId): boolean {
  const { memory, params, view } = ctx;
  const job = memory.jobs.get(id);
  if (job === undefined) return true;
  let left = job.maps;
  for (const phase of view.job(id).phases) {
    if (phase.slots.some((kind) => isMap(view, kind))) left -= view.counts(phase.id).done;
  }
  const nodes = memory.nodes.size;
  const share = Math.min(view.inputNodes(id) / Math.max(1, nodes), params.localityWaitFactor);
  // The offer at hand counts.
  return Math.min(left, nodes) * share < job.missed + 1;
}
