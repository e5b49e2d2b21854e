import { defined } from "../base/assert.ts";
import type { TaskId } from "../model/ids.ts";
import type { Task } from "../model/job.ts";
import { type PhaseRecord, type State, TaskRecord } from "./state.ts";

/**
 * A task's record, also if the task has none in memory: a fresh task gets one then, a finished one
 * a passing one that says only that the task is done. COST: O(log live phases) without a record.
 */
export function taskRecordOf(state: State, id: TaskId): TaskRecord {
  return state.tasks.find(id) ?? freshOne(state, id) ?? finishedTask(state, id);
}

/** The same for a look: nothing is kept. */
export function lookAtTask(state: State, id: TaskId): TaskRecord {
  const known = state.tasks.find(id);
  if (known !== undefined) return known;
  const phase = phaseOfTask(state, id);
  const index = id - phase.first;
  return phase.fresh?.has(index) === true ? phase.fresh.look(index) : finishedTask(state, id);
}

/** The record of a task that is not finished; undefined if the task is over, or unknown. */
export function openTask(state: State, id: TaskId): TaskRecord | undefined {
  return state.tasks.find(id) ?? freshOne(state, id);
}

/** The noun of a live phase's task. */
export function findTask(state: State, id: TaskId): Task | undefined {
  const phase = findPhase(state, id);
  return phase?.phase.tasks.at(id - phase.first);
}

function freshOne(state: State, id: TaskId): TaskRecord | undefined {
  const phase = findPhase(state, id);
  const index = id - (phase?.first ?? 0);
  return phase?.fresh?.has(index) === true ? phase.fresh.take(index) : undefined;
}

function finishedTask(state: State, id: TaskId): TaskRecord {
  const phase = phaseOfTask(state, id);
  const task = new TaskRecord(defined(phase.phase.tasks.at(id - phase.first), "task"), phase);
  task.done = true;
  return task;
}

const phaseOfTask = (state: State, id: TaskId): PhaseRecord =>
  defined(findPhase(state, id), "task");

/** The live phase of the task. */
function findPhase({ ranges }: State, id: TaskId): PhaseRecord | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.first <= id) low = middle + 1;
    else high = middle;
  }
  const phase = ranges[low - 1];
  return phase !== undefined && id < phase.first + phase.size ? phase : undefined;
}
