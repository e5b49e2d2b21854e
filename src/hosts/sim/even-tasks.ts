import { defined } from "../../base/assert.ts";
import { type PhaseId, type TaskId, taskId } from "../../model/ids.ts";
import type { Stage, Task, TaskList } from "../../model/job.ts";

/** Tasks without replicas that differ in nothing but their index: each is made when asked for. */
export class EvenTasks implements TaskList {
  readonly length: number;
  readonly areUnplaced = true;
  readonly #phase: PhaseId;
  readonly #first: TaskId;
  readonly #stages: readonly Stage[];

  constructor(of: {
    readonly phase: PhaseId;
    readonly first: TaskId;
    readonly length: number;
    readonly stages: readonly Stage[];
  }) {
    this.length = of.length;
    this.#phase = of.phase;
    this.#first = of.first;
    this.#stages = of.stages;
  }

  at(index: number): Task | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const id = taskId(this.#first + index);
    return { id, phase: this.#phase, index, replicas: NOWHERE, stages: this.#stages };
  }

  *[Symbol.iterator](): Generator<Task, void> {
    for (let index = 0; index < this.length; index += 1) yield defined(this.at(index), "a task");
  }
}

const NOWHERE: readonly never[] = [];
