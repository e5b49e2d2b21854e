import { jobId, phaseId, taskId } from "../../model/ids.ts";

/** Gives out ids in the order in which things are first told of. */
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
    return taskId(this.#tasks++);
  }
}
