import type { TaskRecord } from "./state.ts";

/**
 * Tasks in the order in which they were added, linked through the records themselves: adding and
 * taking out cost no memory, since every task does both at least once.
 */
export class TaskList implements Iterable<TaskRecord> {
  private first: TaskRecord | undefined;
  private last: TaskRecord | undefined;

  add(task: TaskRecord): void {
    if (task.listed) return;
    task.listed = true;
    task.before = this.last;
    if (this.last === undefined) this.first = task;
    else this.last.after = task;
    this.last = task;
  }

  delete(task: TaskRecord): void {
    if (!task.listed) return;
    task.listed = false;
    if (task.before === undefined) this.first = task.after;
    else task.before.after = task.after;
    if (task.after === undefined) this.last = task.before;
    else task.after.before = task.before;
    task.before = undefined;
    task.after = undefined;
  }

  *[Symbol.iterator](): Generator<TaskRecord> {
    let task = this.first;
    while (task !== undefined) {
      // Whoever looks may take this one out.
      const next: TaskRecord | undefined = task.after;
      yield task;
      task = next;
    }
  }
}
