import { ascending } from "../base/order.ts";
import type { NodeId } from "../model/ids.ts";
import type { AttemptRecord, PhaseRecord, TaskRecord } from "./state.ts";

/** Launched, not ended, and not killed. */
export const isLive = (attempt: AttemptRecord): boolean =>
  attempt.state === "assumed" || attempt.state === "running";

/** Whether the attempt is live and was launched before all other live attempts of its task. */
const isFirstLive = (attempt: AttemptRecord): boolean => {
  const { attempts, unended } = attempt.record;
  return isLive(attempt) && (unended === 1 || attempts.find(isLive) === attempt);
};

/** The tasks with a live attempt, in the launch order of their oldest live attempts. */
export function* runningTasksOf({ launched }: PhaseRecord): Generator<TaskRecord> {
  for (const attempt of launched) if (isFirstLive(attempt)) yield attempt.record;
}

/**
 * The same tasks, in the order in which each came to have an attempt: launch order, unless a task's
 * first attempt ended before its second. COST: a sort of these tasks.
 */
export function tasksAtWorkOf(phase: PhaseRecord): readonly TaskRecord[] {
  const tasks: TaskRecord[] = [];
  let isInOrder = true;
  let latest = 0;
  for (const attempt of phase.launched) {
    if (!isFirstLive(attempt)) continue;
    const { record } = attempt;
    const since = record.workSince ?? 0;
    if (since < latest) isInOrder = false;
    latest = since;
    tasks.push(record);
  }
  return isInOrder ? tasks : tasks.sort(ascending(({ workSince }) => workSince ?? 0));
}

/**
 * Adjusts the phase's count of active tasks: call it with -1 before the task's attempts change, and
 * with 1 after.
 */
export function countActive({ mishaps, phase, unended }: TaskRecord, change: 1 | -1): void {
  if (unended === mishaps.dying) return;
  phase.active += change;
  if (unended > 1) phase.manifold += change;
}

/** Whether the task has had an attempt on the node since it last had none that held a slot. */
export function hasWorkedOn({ attempts, unended, workSince }: TaskRecord, node: NodeId): boolean {
  if (unended === 0 || workSince === undefined) return false;
  return attempts.some((attempt) => attempt.node === node && attempt.id >= workSince);
}

/** The attempts of a list in launch order that hold a slot, newest first. */
export function* newestFirstOf(launched: readonly AttemptRecord[]): Generator<AttemptRecord> {
  for (let i = launched.length - 1; i >= 0; i--) {
    const attempt = launched[i];
    if (attempt?.holdsSlot) yield attempt;
  }
}

/**
 * A list in launch order, without its ended attempts once they are more than half: an end stays
 * cheap, and ended attempts are soon released.
 */
export function swept(launched: AttemptRecord[], running: number): AttemptRecord[] {
  if (launched.length < 64 || launched.length < 2 * running) return launched;
  return launched.filter((attempt) => attempt.holdsSlot);
}
