import type { Notice } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { Locality } from "../../../model/job.ts";
import type { View } from "../../../model/view.ts";
import type { FairMemory } from "./memory.ts";

/** Milliseconds that a job waits for a slot on the data's node, and then on its rack. */
export interface Delays {
  readonly nodeMs: number;
  readonly rackMs: number;
}

/** Hadoop 1.2.1, MAX_AUTOCOMPUTED_LOCALITY_DELAY. */
const DELAY_MS_MAX = 15_000;
const HEARTBEATS_WAITED = 1.5;

/**
 * Hadoop 1.2.1, JobTracker.getNextHeartbeatInterval: a hundred heartbeats a second in all, and no
 * node more often than every 300 ms.
 */
export const heartbeatMsOf = (nodes: number): number => Math.max(300, nodes * 10);

/** The delays that Hadoop works out by itself if none is set. */
export function automaticDelays(nodes: number): Delays {
  const ms = Math.min(DELAY_MS_MAX, Math.floor(HEARTBEATS_WAITED * heartbeatMsOf(nodes)));
  return { nodeMs: ms, rackMs: ms };
}

/**
 * Hadoop 1.2.1, getAllowedLocalityLevel: a job begins at the node and stays at the level of its
 * last map until it has waited for the delay of that level.
 */
export function allowedLevel(
  last: Locality,
  waitedMs: number,
  { nodeMs, rackMs }: Delays,
): Locality {
  switch (last) {
    case "node":
      if (waitedMs >= nodeMs + rackMs) return "any";
      return waitedMs >= nodeMs ? "rack" : "node";
    case "rack":
      return waitedMs >= rackMs ? "any" : "rack";
    case "any":
      return "any";
  }
}

/**
 * Which jobs decline slots, and where their last map went. The source adds up the times from each
 * offer in which a job was skipped to the next offer; here the wait counts from the first such
 * offer, since hosts need not tell of heartbeats that bring nothing.
 */
export function learnDelays(memory: FairMemory, view: View, what: ClusterEvent | Notice): void {
  if (what.kind === "slot-declined") {
    const job = memory.jobs.get(what.job);
    if (job !== undefined) job.declinesSince ??= what.at;
  } else if (what.kind === "attempt-assumed") {
    const task = view.task(view.attempt(what.attempt).task);
    const job = memory.jobs.get(view.jobOf(task.phase).id);
    if (job === undefined || task.replicas.length === 0) return;
    // updateLastMapLocalityLevel: whatever brought the map there, failed and copied ones too.
    job.level = what.locality;
    job.declinesSince = undefined;
  }
}
