import { defined } from "../base/assert.ts";
import { type TaskId, taskId } from "./ids.ts";
import type { Task, TaskList } from "./job.ts";

/** Tasks that differ only in their index. Each task is made on demand. */
export class AlikeTasks implements TaskList {
  readonly length: number;
  readonly areUnplaced: boolean;
  readonly #first: TaskId;
  readonly #shared: Omit<Task, "id" | "index">;

  constructor(first: TaskId, length: number, shared: Omit<Task, "id" | "index">) {
    this.length = length;
    this.#first = first;
    this.#shared = shared;
    this.areUnplaced = shared.replicas.length === 0 && shared.firstOn === undefined;
  }

  at(index: number): Task | undefined {
    if (index < 0 || index >= this.length) return undefined;
    return { id: taskId(this.#first + index), index, ...this.#shared };
  }

  *[Symbol.iterator](): Generator<Task, void> {
    for (let index = 0; index < this.length; index += 1) yield defined(this.at(index), "a task");
  }
}
