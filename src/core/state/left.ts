import type { PhaseRecord } from "./records.ts";
import type { State } from "./state.ts";

/** The tasks of the phase that are not done. */
export const leftOf = ({ done, recomputing, size }: PhaseRecord): number =>
  size - done + recomputing;

/**
 * Adds to the count of tasks left, if the phase's tasks count: call this after a task of the phase
 * was done or is to be recomputed, and with all of the phase's remaining tasks after the phase or
 * its job came to be counted, or before either goes.
 */
export function countLeft({ load }: State, { job, phase, ready }: PhaseRecord, by: number): void {
  if (!ready || !job.live || job.admittedAt === undefined) return;
  for (const kind of phase.slots) load[kind]!.left += by;
}
