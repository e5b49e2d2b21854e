import type { PhaseRecord } from "./records.ts";
import type { State } from "./state.ts";

/** The tasks of the phase that are not done. */
export const remainingIn = ({ done, recomputing, size }: PhaseRecord): number =>
  size - done + recomputing;

/**
 * Adds to the count of remaining tasks, if the phase is ready and its job admitted and live. Call
 * with -1 when a task finishes, with 1 when one is reopened, and with plus or minus
 * `remainingIn(phase)` when the phase or its job becomes, or stops being, one that counts.
 */
export function countRemaining(
  { load }: State,
  { job, phase, ready }: PhaseRecord,
  by: number,
): void {
  if (!ready || !job.live || job.admittedAt === undefined) return;
  for (const kind of phase.slots) load[kind]!.remaining += by;
}
