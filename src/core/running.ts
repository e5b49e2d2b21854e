import type { AttemptRecord, PhaseRecord, TaskRecord } from "./state.ts";

/** Launched, not ended, and not killed. */
export const isLive = (attempt: AttemptRecord): boolean =>
  attempt.state === "assumed" || attempt.state === "running";

/** The tasks of which an attempt is live, in the order in which those were launched. */
export function* runningTasksOf(phase: PhaseRecord): Generator<TaskRecord> {
  for (const attempt of phase.launched) {
    if (isLive(attempt) && attempt.record.attempts.find(isLive) === attempt) yield attempt.record;
  }
}

/**
 * A list in launch order, without those that have ended once these are more than half: so ending
 * costs little, and what has ended is not held for long.
 */
export function swept(launched: AttemptRecord[], running: number): AttemptRecord[] {
  if (launched.length < 64 || launched.length < 2 * running) return launched;
  return launched.filter((attempt) => attempt.holdsSlot);
}
