import { defined } from "../base/assert.ts";
import type { Task } from "../model/job.ts";
import type { TaskOrder } from "../policy/policy.ts";
import { type PhaseRecord, type State, TaskRecord } from "./state.ts";

/**
 * The tasks of a phase to which nothing has happened: a range of indexes in place of a record each.
 * A task leaves the range for good when it gets a record, at the latest at its launch.
 */
export class FreshTasks {
  /** Whether the tasks of the range wait for slots. */
  isWaiting = false;
  /** The number of tasks in the range. */
  left: number;
  readonly #state: State;
  readonly #phase: PhaseRecord;
  /** Tasks before this one are in the range no more. */
  #next = 0;
  /** Later tasks that had a record, and have gone from memory. */
  readonly #gone = new Set<number>();

  constructor(state: State, phase: PhaseRecord) {
    this.#state = state;
    this.#phase = phase;
    this.left = phase.size;
  }

  /** Whether the task is in the range, if it has no record. */
  has(index: number): boolean {
    return index >= this.#next && !this.#gone.has(index);
  }

  /** The task's record as long as it is in the range: for a look, not to be kept. */
  look(index: number): TaskRecord {
    const phase = this.#phase;
    const task = new TaskRecord(defined(phase.phase.tasks.at(index), "task"), phase);
    task.key = index;
    task.waiting = this.isWaiting;
    if (this.isWaiting) task.stay = FIRST_STAY;
    return task;
  }

  /** Gives the task a record of its own. */
  take(index: number): TaskRecord {
    const task = this.look(index);
    this.#state.tasks.set(task.id, task);
    this.left -= 1;
    return task;
  }

  /** The first task that waits in its first stay, and passes. It gets a record. */
  first(filter: { passes(task: TaskRecord): boolean }): TaskRecord | undefined {
    if (!this.isWaiting) return undefined;
    const { first, size } = this.#phase;
    for (let index = this.#next; index < size; index += 1) {
      let task = this.#state.tasks.find(first + index);
      if (task === undefined) {
        if (this.#gone.has(index)) continue;
        task = this.take(index);
      }
      if (task.waiting && task.stay === FIRST_STAY && filter.passes(task)) return task;
    }
    return undefined;
  }

  /** The task is launched: if it is the first, the range begins behind it. */
  launched(index: number): void {
    if (index !== this.#next) return;
    this.#next += 1;
    while (this.#gone.delete(this.#next)) this.#next += 1;
  }

  /** The task's record has gone from memory. */
  forget(index: number): void {
    if (index >= this.#next) this.#gone.add(index);
  }
}

const FIRST_STAY = 1;

/** Whether tasks that nothing has happened to wait by index, wherever a slot is. */
export const areFresh = ({ freshByIndex }: TaskOrder, tasks: Iterable<Task>): boolean => {
  if (freshByIndex !== true) return false;
  for (const { replicas, firstOn } of tasks) {
    if (replicas.length > 0 || firstOn !== undefined) return false;
  }
  return true;
};
