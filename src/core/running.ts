import { ascending } from "../base/order.ts";
import type { AttemptId, NodeId, SlotKind } from "../model/ids.ts";
import type { AttemptRecord, PhaseRecord, TaskRecord } from "./records.ts";
import type { Share } from "./share.ts";
import type { State } from "./state.ts";

/** Launched, not ended, and not killed. */
export const isLive = (attempt: AttemptRecord): boolean =>
  attempt.state === "assumed" || attempt.state === "running";

/** Whether the attempt is live and was launched before all other live attempts of its task. */
const isFirstLive = (attempt: AttemptRecord, { attempts, unended }: TaskRecord): boolean =>
  isLive(attempt) && (unended === 1 || attempts.find(isLive)?.id === attempt.id);

/** The attempts of the phase that hold a slot, in launch order. */
export function launchedOf(state: State, phase: PhaseRecord): Iterable<AttemptRecord> {
  return state.keepsRunning ? listedOf(state, phase) : foundOf(state, phase);
}

function* listedOf(state: State, phase: PhaseRecord): Generator<AttemptRecord> {
  for (const id of launchedIdsOf(state, phase)) {
    const attempt = state.attempts.find(id);
    if (attempt?.holdsSlot) yield attempt;
  }
}

/**
 * A small number, because each look at a phase passes these attempts, and small phases are looked
 * at often.
 */
const ENDED_MAX = 16;

/** Attempts of the phase in launch order, those that hold a slot among them. */
function launchedIdsOf({ attempts: { table } }: State, phase: PhaseRecord): readonly AttemptId[] {
  if (phase.launched.length >= 2 * phase.running + ENDED_MAX) {
    phase.launched = phase.launched.filter((id) => {
      const row = table.find(id);
      return row >= 0 && table.holdsSlot(row);
    });
  }
  return phase.launched;
}

/** The same without a list. COST: O(tasks of the phase), and a sort. */
function foundOf({ attempts, tasks }: State, phase: PhaseRecord): readonly AttemptRecord[] {
  const found: AttemptRecord[] = [];
  for (const row of phase.sole.list()) {
    if (attempts.table.holdsSlot(row)) found.push(attempts.at(row));
  }
  const end = phase.kept === 0 ? phase.first : phase.first + phase.size;
  for (let id = phase.first; id < end; id += 1) {
    for (const attempt of tasks.find(id)?.attempts ?? []) {
      if (attempt.holdsSlot) found.push(attempt);
    }
  }
  return found.sort(ascending(({ id }) => id));
}

/** The tasks with a live attempt, in the launch order of their oldest live attempts. */
export const runningTasksOf = (state: State, phase: PhaseRecord): Iterable<TaskRecord> =>
  runningOf(state, phase, (record) => record);

/** What `as` makes of each of these tasks. */
export const runningOf = <T>(
  state: State,
  phase: PhaseRecord,
  as: (task: TaskRecord) => T,
): Iterable<T> =>
  state.keepsRunning ? listedTasksOf(state, phase, as) : foundTasksOf(state, phase, as);

function* foundTasksOf<T>(
  state: State,
  phase: PhaseRecord,
  as: (task: TaskRecord) => T,
): Generator<T> {
  for (const attempt of foundOf(state, phase)) {
    const { record } = attempt;
    if (isFirstLive(attempt, record)) yield as(record);
  }
}

/** The same from the list, without a look at each attempt: thousands may run. */
function* listedTasksOf<T>(
  state: State,
  phase: PhaseRecord,
  as: (task: TaskRecord) => T,
): Generator<T> {
  const { attempts, tasks } = state;
  const { table } = attempts;
  for (const id of launchedIdsOf(state, phase)) {
    const row = table.find(id);
    if (row < 0 || !table.isLive(row)) continue;
    const task = tasks.find(table.task(row)) ?? attempts.at(row).record;
    if (task.unended === 1 || task.attempts.find(isLive)?.id === id) yield as(task);
  }
}

/** The oldest live attempt of each of these tasks, in launch order or in the order of work. */
export function* oldestOf(
  state: State,
  phase: PhaseRecord,
  order: "launch" | "work",
): Generator<AttemptRecord> {
  const tasksOf = order === "launch" ? runningTasksOf : tasksAtWorkOf;
  for (const { attempts } of tasksOf(state, phase)) {
    const oldest = attempts.find(isLive);
    if (oldest !== undefined) yield oldest;
  }
}

/**
 * The same tasks, in the order in which each came to have an attempt: launch order, unless a task's
 * first attempt ended before its second. COST: a sort of these tasks.
 */
function tasksAtWorkOf(state: State, phase: PhaseRecord): readonly TaskRecord[] {
  const tasks: TaskRecord[] = [];
  let isInOrder = true;
  let latest = 0;
  for (const task of runningTasksOf(state, phase)) {
    const since = task.workSince ?? 0;
    if (since < latest) isInOrder = false;
    latest = since;
    tasks.push(task);
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

/**
 * The attempts of the pool's jobs that hold a slot of the kind, newest first. COST: a sort of these
 * attempts; for pre-emption, which is rare.
 */
export function newestFirstOf(
  state: State,
  pool: Share | undefined,
  kind: SlotKind,
): readonly AttemptRecord[] {
  const found: AttemptRecord[] = [];
  for (const job of state.jobs.values()) {
    if (job.pool !== pool) continue;
    for (const phase of job.phases) {
      if (phase.running === 0) continue;
      for (const attempt of launchedOf(state, phase)) {
        if (attempt.kind === kind) found.push(attempt);
      }
    }
  }
  return found.sort((a, b) => b.id - a.id);
}
