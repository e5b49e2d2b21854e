import { jobId, phaseId, taskId } from "../../model/ids.ts";

/** Assigns ids in the order in which the scheduler first learns of things. */
export class Ids {
  #jobs = 0;
  #phases = 0;
  #tasks = 0;

  job() {
    return jobId(this.#jobs++);
  }

  phase() {
    return phaseId(this.#phases++);
  }

  task() {
    return this.tasks(1);
  }

  /** Assigns `count` ids; returns the first. */
  tasks(count: number) {
    const first = taskId(this.#tasks);
    this.#tasks += count;
    return first;
  }
}
