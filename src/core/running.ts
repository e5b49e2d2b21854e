import { ascending } from "../base/order.ts";
import type { NodeId } from "../model/ids.ts";
import type { AttemptRecord, PhaseRecord, TaskRecord } from "./state.ts";

/** Launched, not ended, and not killed. */
export const isLive = (attempt: AttemptRecord): boolean =>
  attempt.state === "assumed" || attempt.state === "running";

/** Live, and launched before all others of its task that are. */
const isFirstLive = (attempt: AttemptRecord): boolean => {
  const { attempts, unended } = attempt.record;
  return isLive(attempt) && (unended === 1 || attempts.find(isLive) === attempt);
};

/** The tasks of which an attempt is live, in the order in which those were launched. */
export function* runningTasksOf({ launched }: PhaseRecord): Generator<TaskRecord> {
  for (const attempt of launched) if (isFirstLive(attempt)) yield attempt.record;
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
    if (!isFirstLive(attempt)) continue;
    const { record } = attempt;
    const since = record.workSince ?? 0;
    if (since < latest) isInOrder = false;
    latest = since;
    tasks.push(record);
  }
  return isInOrder ? tasks : tasks.sort(ascending(({ workSince }) => workSince ?? 0));
}

/** Counts a task out of its phase's active ones before its attempts change, and in again after. */
export function countActive({ mishaps, phase, unended }: TaskRecord, change: 1 | -1): void {
  if (unended === mishaps.dying) return;
  phase.active += change;
  if (unended > 1) phase.manifold += change;
}

/** Whether an attempt was there since the task last had none that held a slot. */
export function hasWorkedOn({ attempts, unended, workSince }: TaskRecord, node: NodeId): boolean {
  if (unended === 0 || workSince === undefined) return false;
  return attempts.some((attempt) => attempt.node === node && attempt.id >= workSince);
}

/** Attempts of a list in launch order that hold a slot. */
export function* newestFirstOf(launched: readonly AttemptRecord[]): Generator<AttemptRecord> {
  for (let i = launched.length - 1; i >= 0; i--) {
    const attempt = launched[i];
    if (attempt?.holdsSlot) yield attempt;
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
