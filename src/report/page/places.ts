import { defined } from "../../base/assert.ts";
import { cell } from "../../base/rows.ts";
import type { AttemptId, JobId, TaskId } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";

/** Where an attempt is in a page: its phase by number over all jobs, its task, its number there. */
export interface Place {
  readonly phase: PlacePhase;
  readonly task: number;
  readonly ordinal: number;
}

/** A phase's number over all jobs, and the ids of its tasks: a range. */
export interface PlacePhase {
  readonly index: number;
  readonly job: JobId;
  readonly first: TaskId;
  /** Attempts of each task that were launched. */
  readonly launched: Uint32Array;
}

/** The places of attempts that have not ended, of jobs in the order of their submissions. */
export class Places {
  /** Of jobs that have not ended. Invariant: rising in `first`. */
  #phases: PlacePhase[] = [];
  readonly #open = new Map<AttemptId, Place>();
  #count = 0;

  submit(job: Job): readonly PlacePhase[] {
    const added: PlacePhase[] = [];
    for (const { tasks } of job.phases) {
      const index = this.#count++;
      const first = tasks.at(0)?.id;
      if (first === undefined) continue;
      added.push({ index, job: job.id, first, launched: new Uint32Array(tasks.length) });
    }
    this.#phases = [...this.#phases, ...added].sort((a, b) => (a.first < b.first ? -1 : 1));
    return added;
  }

  endJob(job: JobId): void {
    this.#phases = this.#phases.filter((phase) => phase.job !== job);
  }

  launch(attempt: AttemptId, id: TaskId): Place {
    const phase = defined(this.phaseOf(id), "a task of a job that has not ended");
    const task = id - phase.first;
    const ordinal = cell(phase.launched[task]);
    phase.launched[task] = ordinal + 1;
    const place = { phase, task, ordinal };
    this.#open.set(attempt, place);
    return place;
  }

  end(attempt: AttemptId): void {
    this.#open.delete(attempt);
  }

  find(attempt: AttemptId): Place | undefined {
    return this.#open.get(attempt);
  }

  /** Undefined if the task's job has ended. */
  phaseOf(task: TaskId): PlacePhase | undefined {
    let [low, high] = [0, this.#phases.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#phases[middle]?.first ?? 0) <= task) low = middle + 1;
      else high = middle;
    }
    const found = this.#phases[low - 1];
    return found !== undefined && task - found.first < found.launched.length ? found : undefined;
  }
}
