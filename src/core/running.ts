import type { AttemptRecord, PhaseRecord, TaskRecord } from "./state.ts";

/** Launched, not ended, and not killed. */
export const isLive = (attempt: AttemptRecord): boolean =>
  attempt.state === "assumed" || attempt.state === "running";

/**
 * The tasks of which an attempt is live. As in Hadoop 1.2.1 (JobInProgress.runningMapCache,
 * runningReduces) a task keeps its place until its last attempt has ended: a copy that is left alone
 * stands where its original stood.
 */
export function* runningTasksOf({ tasksAtWork }: PhaseRecord): Generator<TaskRecord> {
  for (const task of tasksAtWork) if (task.attempts.some(isLive)) yield task;
}

/**
 * A list in launch order, without those that have ended once these are more than half: so ending
 * costs little, and what has ended is not held for long.
 */
export function swept(launched: AttemptRecord[], running: number): AttemptRecord[] {
  if (launched.length < 64 || launched.length < 2 * running) return launched;
  return launched.filter((attempt) => attempt.holdsSlot);
}
