import type { TaskId } from "../../model/ids.ts";

/** The fields of a task's record that the range uses. */
interface Fresh {
  readonly id: TaskId;
  waiting: boolean;
  queueGeneration: number;
  key: number;
}

/** Where the records of a phase's tasks are kept, and how they are made. */
export interface Records<T> {
  /** The number of tasks. */
  readonly size: number;
  /** The record that is kept, if any. */
  find(index: number): T | undefined;
  make(index: number): T;
}

/** The generation of a task in the range; it enters its first queue with the next one. */
const FIRST_GENERATION = 1;

/** Stands for the index of no task. */
const NONE = -1;

/**
 * The tasks of a phase to which nothing has happened: a range of indexes, and no records. A task
 * leaves the range for good when it is launched, or gets a record that is kept.
 */
export class FreshTasks<T extends Fresh> {
  /** Whether the tasks of the range wait for slots. */
  isWaiting = false;
  /** The number of tasks in the range. */
  remaining: number;
  readonly #records: Records<T>;
  /** Tasks before this one are no longer in the range. */
  #next = 0;
  /** Later tasks that had a record, and have gone from memory. */
  readonly #gone = new Set<number>();

  constructor(records: Records<T>) {
    this.#records = records;
    this.remaining = records.size;
  }

  /** Whether a task without a record is in the range: otherwise it is finished. */
  has(index: number): boolean {
    return index >= this.#next && !this.#hasGone(index);
  }

  /** The record that a task of the range would have. */
  look(index: number): T {
    const task = this.#records.make(index);
    task.key = index;
    task.waiting = this.isWaiting;
    task.queueGeneration = FIRST_GENERATION;
    return task;
  }

  /** A task of the range is launched, or gets a record that is kept. */
  take(): void {
    this.remaining -= 1;
  }

  /** The first task from this index on that waits and was never queued. */
  next(from: number): T | undefined {
    if (!this.isWaiting) return undefined;
    for (let index = Math.max(from, this.#next); index < this.#records.size; index += 1) {
      const task = this.#records.find(index);
      if (task === undefined) {
        if (!this.#hasGone(index)) return this.look(index);
      } else if (task.waiting && task.queueGeneration === FIRST_GENERATION) return task;
    }
    return undefined;
  }

  /** The index of the range's first task, if it waits and has no record; else -1. */
  get first(): number {
    const index = this.#next;
    if (!this.isWaiting || index >= this.#records.size || this.#hasGone(index)) return NONE;
    return this.#records.find(index) === undefined ? index : NONE;
  }

  /** Whether the task is the first of the range. */
  isFirst(index: number): boolean {
    return index === this.#next;
  }

  /** The task is launched: if it is the first, the range begins behind it. */
  launched(index: number): void {
    if (index !== this.#next) return;
    this.#next += 1;
    while (this.#hasGone(this.#next)) this.#gone.delete(this.#next++);
  }

  /** The task's record has gone from memory. */
  forget(index: number): void {
    if (index >= this.#next) this.#gone.add(index);
  }

  #hasGone(index: number): boolean {
    return this.#gone.size > 0 && this.#gone.has(index);
  }
}
