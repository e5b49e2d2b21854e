import { ascending } from "../base/order.ts";
import type { Instant, NodeId } from "../model/ids.ts";
import type { ActiveTasks } from "../model/view.ts";
import { scoreAt } from "./progress.ts";
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

/** The same tasks, in the order in which they came to have attempts. COST: their sort. */
export const tasksAtWorkOf = (phase: PhaseRecord): readonly TaskRecord[] =>
  [...runningTasksOf(phase)].sort(ascending(({ workSince }) => workSince ?? 0));

/** COST: O(tasks with several attempts): of all others there is one for each attempt. */
export function activeTasksOf({ dying, manifold, running }: PhaseRecord): ActiveTasks {
  let tasks = running - dying;
  let speculated = 0;
  for (const { attempts } of manifold) {
    let live = 0;
    for (const attempt of attempts) if (isLive(attempt)) live++;
    if (live === 0) continue;
    tasks -= live - 1;
    speculated++;
  }
  return { tasks, speculated };
}

/** Whether an attempt was there since the task last had none that held a slot. */
export function hasWorkedOn({ attempts, unended, workSince }: TaskRecord, node: NodeId): boolean {
  if (unended === 0 || workSince === undefined) return false;
  return attempts.some((attempt) => attempt.node === node && attempt.id >= workSince);
}

/** The score of the attempt that is furthest. */
export function bestScore(task: TaskRecord, now: Instant): number {
  let best = 0;
  for (const attempt of task.attempts) {
    if (attempt.state === "running") best = Math.max(best, scoreAt(attempt, now));
  }
  return best;
}

/**
 * A list in launch order, without those that have ended once these are more than half: so ending
 * costs little, and what has ended is not held for long.
 */
export function swept(launched: AttemptRecord[], running: number): AttemptRecord[] {
  if (launched.length < 64 || launched.length < 2 * running) return launched;
  return launched.filter((attempt) => attempt.holdsSlot);
}
