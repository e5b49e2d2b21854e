import { defined } from "../../base/assert.ts";
import type { TaskId } from "../../model/ids.ts";
import type { Task } from "../../model/job.ts";
import { type Mishaps, NO_MISHAPS } from "./mishaps.ts";
import { type AttemptRecord, type PhaseRecord, TaskRecord } from "./records.ts";
import { NO_ROW } from "./sole-rows.ts";
import type { State } from "./state.ts";

// A task's record stays in memory while it says more than its phase does. Three kinds of tasks have
// no record between steps: fresh tasks, tasks whose first attempt runs and to which nothing else
// has happened, and finished tasks that no phase reads. A step that needs their record makes it.

/**
 * A task's record for a change. A fresh task gets one that is kept, a finished one a passing one
 * that says only that the task is done. COST: O(log live phases) unless the record is kept.
 */
export function taskRecordOf(state: State, id: TaskId): TaskRecord {
  return openTask(state, id) ?? finishedTask(phaseOfTask(state, id), id);
}

/** The same for a look: nothing is kept. */
export function lookAtTask(state: State, id: TaskId): TaskRecord {
  const kept = state.tasks.find(id);
  if (kept !== undefined) return kept;
  const phase = phaseOfTask(state, id);
  const index = id - phase.first;
  const sole = soleOf(state, phase, index);
  if (sole !== undefined) return sole.record;
  return phase.fresh?.has(index) === true ? phase.fresh.look(index) : finishedTask(phase, id);
}

/** What has gone wrong with the task. No record is made for the answer. */
export function mishapsOf(state: State, id: TaskId): Readonly<Mishaps> {
  const kept = state.tasks.find(id);
  if (kept !== undefined) return kept.mishaps;
  const phase = phaseOfTask(state, id);
  const sole = soleOf(state, phase, id - phase.first);
  // A record that was made in this step may say more than the task's attempt.
  const isPresent = sole !== undefined && state.attempts.table.isPresent(sole.row);
  return isPresent ? sole.record.mishaps : NO_MISHAPS;
}

/** The record of an unfinished task; undefined if the task is finished or unknown. */
export function openTask(state: State, id: TaskId): TaskRecord | undefined {
  const kept = state.tasks.find(id);
  if (kept !== undefined) return kept;
  const phase = findPhase(state, id);
  if (phase === undefined) return undefined;
  const index = id - phase.first;
  const sole = soleOf(state, phase, index);
  if (sole !== undefined) return sole.record;
  if (phase.fresh?.has(index) !== true) return undefined;
  const task = phase.fresh.look(index);
  keepTask(state, task);
  return task;
}

/** The record of a task that has been launched and is in memory. */
export function launchedTask(state: State, id: TaskId): TaskRecord | undefined {
  const kept = state.tasks.find(id);
  if (kept !== undefined) return kept;
  const phase = findPhase(state, id);
  return phase && soleOf(state, phase, id - phase.first)?.record;
}

/** The noun of a live phase's task. */
export function findTask(state: State, id: TaskId): Task | undefined {
  const phase = findPhase(state, id);
  return phase?.phase.tasks.at(id - phase.first);
}

/** The phase's tasks whose record is kept. COST: O(tasks of the phase), if any is kept. */
export function keptTasksOf({ tasks }: State, phase: PhaseRecord): readonly TaskRecord[] {
  const kept: TaskRecord[] = [];
  if (phase.kept === 0) return kept;
  for (let id = phase.first; id < phase.first + phase.size; id++) {
    const task = tasks.find(id);
    if (task !== undefined) kept.push(task);
  }
  return kept;
}

/** Keeps the task's record in memory. */
export function keepTask(state: State, task: TaskRecord): void {
  if (task.isKept) return;
  const { phase, index } = task;
  if (soleOf(state, phase, index) === undefined) phase.fresh?.take();
  else phase.sole.remove(index);
  task.isKept = true;
  phase.kept += 1;
  state.tasks.set(task.id, task);
}

/** A launched task's record, kept unless it only says that the attempt runs. */
export function enterTask(state: State, task: TaskRecord, attempt: AttemptRecord): void {
  const { fresh, sole } = task.phase;
  const isAlone = !task.isKept && sole.at(task.index) === NO_ROW && !state.keepsRunning;
  if (isAlone && fresh?.isFirst(task.index) === true) {
    sole.enter(task.index, attempt.row);
    state.attempts.setPresent(attempt, task);
    fresh.take();
    task.phase.touch(task);
  } else keepTask(state, task);
  fresh?.launched(task.index);
}

/** The running attempt of a launched task without a record. */
function soleOf(state: State, phase: PhaseRecord, index: number): AttemptRecord | undefined {
  const row = phase.sole.at(index);
  return row === NO_ROW ? undefined : state.attempts.at(row);
}

function finishedTask(phase: PhaseRecord, id: TaskId): TaskRecord {
  const index = id - phase.first;
  const task = new TaskRecord(phase, index);
  task.done = true;
  return task;
}

const phaseOfTask = (state: State, id: TaskId): PhaseRecord =>
  defined(findPhase(state, id), "task");

const holds = ({ first, size }: PhaseRecord, id: TaskId): boolean =>
  id >= first && id < first + size;

/** The live phase of the task. */
function findPhase(state: State, id: TaskId): PhaseRecord | undefined {
  const { found } = state;
  if (found !== undefined && holds(found, id)) return found;
  const phase = state.ranges[rangeOf(state, id)];
  if (phase === undefined || !holds(phase, id)) return undefined;
  state.found = phase;
  return phase;
}

/** The place of the last live phase that begins at the task or before it, or -1. */
export function rangeOf({ ranges }: State, id: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.first <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
