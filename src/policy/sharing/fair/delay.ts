import { type AttemptId, after, type Instant, type PhaseId } from "../../../model/ids.ts";
import type { Locality } from "../../../model/job.ts";
import type { View } from "../../../model/view.ts";
import type { HeardOf } from "../../policy.ts";
import { isMap } from "../../shared/slots.ts";
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
 * Hadoop 1.2.1, JobTracker.getNextHeartbeatInterval: a hundred heartbeats per second in all, and
 * each node at most one every 300 ms.
 */
export const heartbeatMsOf = (nodes: number): number => Math.max(300, nodes * 10);

/** The delays that Hadoop computes if none is set. */
export function automaticDelays(nodes: number): Delays {
  const ms = Math.min(DELAY_MS_MAX, Math.floor(HEARTBEATS_WAITED * heartbeatMsOf(nodes)));
  return { nodeMs: ms, rackMs: ms };
}

/** A wait for a slot near the data, which began at `since`. */
interface Wait {
  readonly since: Instant;
  readonly now: Instant;
}

/**
 * Hadoop 1.2.1, getAllowedLocalityLevel: a job begins at the node and stays at the level of its
 * last map until it has waited for the delay of that level.
 */
export function allowedLevel(
  last: Locality,
  { now, since }: Wait,
  { nodeMs, rackMs }: Delays,
): Locality {
  switch (last) {
    case "node":
      if (now >= after(since, nodeMs + rackMs)) return "any";
      return now >= after(since, nodeMs) ? "rack" : "node";
    case "rack":
      return now >= after(since, rackMs) ? "any" : "rack";
    case "any":
      return "any";
  }
}

/**
 * Records that a job declines a slot. The source adds up the times from each offer in which a job
 * was skipped to the next offer; here the wait counts from the first such offer, since hosts need
 * not report heartbeats that change nothing.
 */
export function recordDecline(
  memory: FairMemory,
  { at, job: id, slot }: HeardOf<"slot-declined">,
): void {
  const job = memory.jobs.get(id);
  if (job === undefined) return;
  // assignTasks: a job that got a map in the same heartbeat was not skipped.
  const { lastMap } = job;
  if (lastMap?.at === at && lastMap.node === slot.node) return;
  job.declinesSince ??= at;
}

/** Records where a job's last map ran, and ends the job's wait. */
export function recordMap(
  memory: FairMemory,
  view: View,
  { at, attempt, locality }: HeardOf<"attempt-assumed">,
): void {
  countUnplaced(memory, view, { attempt, attempts: 1, change: -1 });
  const { node, task } = view.attempt(attempt);
  const { phase } = view.task(task);
  const job = memory.jobs.get(view.jobOf(phase).id);
  if (job === undefined || !takesMapSlots(view, phase)) return;
  // updateLastMapLocalityLevel: for any launch of a map, including retries and copies.
  job.level = locality;
  job.lastMap = { at, node };
  job.declinesSince = undefined;
}

/** The launch was refused. */
export function undoMap(memory: FairMemory, view: View, attempt: AttemptId): void {
  countUnplaced(memory, view, { attempt, attempts: 0, change: 1 });
}

/** Counts a map that has no place and was never launched: refused launches leave no trace. */
function countUnplaced(
  memory: FairMemory,
  view: View,
  of: { readonly attempt: AttemptId; readonly attempts: number; readonly change: 1 | -1 },
): void {
  const { phase, id, replicas } = view.task(view.attempt(of.attempt).task);
  const job = memory.jobs.get(view.jobOf(phase).id);
  if (job === undefined || !takesMapSlots(view, phase)) return;
  if (replicas.length === 0 && view.attemptsOf(id).length === of.attempts) {
    job.unplaced += of.change;
  }
}

const takesMapSlots = (view: View, phase: PhaseId): boolean =>
  view.phase(phase).slots.some((kind) => isMap(view, kind));
