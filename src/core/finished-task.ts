import { defined } from "../base/assert.ts";
import type { TaskId } from "../model/ids.ts";
import { type State, TaskRecord } from "./state.ts";

/**
 * The record of a finished task that has gone from memory: it says only that the task is done.
 * COST: O(log live phases).
 */
export function finishedTask({ ranges }: State, id: TaskId): TaskRecord {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.first <= id) low = middle + 1;
    else high = middle;
  }
  const phase = defined(ranges[low - 1], "task");
  const task = new TaskRecord(defined(phase.phase.tasks[id - phase.first], "task"), phase);
  task.done = true;
  return task;
}
