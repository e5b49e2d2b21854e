import { ascending } from "../base/order.ts";
import type { Instant, NodeId } from "../model/ids.ts";
import type { ActiveTasks } from "../model/view.ts";
import { scoreAt } from "./progress.ts";
import type { AttemptRecord, NodeRecord, PhaseRecord, TaskRecord } from "./state.ts";

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
 * The same tasks, in the order in which they came to have attempts: that of launch, unless a task's
 * first attempt has ended before its second. COST: their sort.
 */
export function tasksAtWorkOf(phase: PhaseRecord): readonly TaskRecord[] {
  const tasks: TaskRecord[] = [];
  let isInOrder = true;
  let latest = 0;
  for (const attempt of phase.launched) {
    const { record } = attempt;
    if (!isLive(attempt)) continue;
    if (record.unended > 1 && record.attempts.find(isLive) !== attempt) continue;
    const since = record.workSince ?? 0;
    if (since < latest) isInOrder = false;
    latest = since;
    tasks.push(record);
  }
  return isInOrder ? tasks : tasks.sort(ascending(({ workSince }) => workSince ?? 0));
}

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

/** Those that hold a slot, of a list in launch order. */
export function* newestFirstOf(launched: readonly AttemptRecord[]): Generator<AttemptRecord> {
  for (let i = launched.length - 1; i >= 0; i--) {
    const attempt = launched[i];
    if (attempt?.holdsSlot) yield attempt;
  }
}

/** Of all tasks of the phase, each by its best attempt. */
export function meanScore(phase: PhaseRecord, now: Instant): number {
  let sum = phase.done - phase.recomputing;
  for (const task of runningTasksOf(phase)) if (task.needed) sum += bestScore(task, now);
  return sum / phase.size;
}

/** Of all attempts that succeeded or run on the node. */
export function nodeScore({ running, succeeded }: NodeRecord, now: Instant): number {
  let sum = succeeded;
  for (const attempt of running) sum += scoreAt(attempt, now);
  return sum;
}

/** The score of the attempt that is furthest. */
function bestScore(task: TaskRecord, now: Instant): number {
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
