/**
 * One look at a running task: `Amounts` and the index of the stage it is in (see model/progress).
 */
export interface TaskProgress {
  /** Map: 0. Reduce: 0 copy, 1 sort, 2 reduce. */
  readonly stage: number;
  /** 0 to 1, never falling. Map: the fraction of its input read. Reduce: a third for each stage. */
  readonly score: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Map: records read. Reduce: values read. */
  readonly records: number;
}

export interface ProgressListener {
  /** Called from within the task's loop, about every 20 ms of its run; must be quick. */
  progressed(progress: TaskProgress): void;
}

const EVERY_MS = 20;
const STEPS_MAX = 1 << 16;

/**
 * Tells when a report is due. Most steps only add to a count: the clock is read once in the number
 * of steps that recently took one period.
 */
export class Pacer {
  #stepsLeft = 1;
  #steps = 1;
  #lastMs = performance.now();

  /** Counts a step; returns true if a report is due. */
  step(): boolean {
    if (--this.#stepsLeft > 0) return false;
    const now = performance.now();
    const tookMs = now - this.#lastMs;
    this.#lastMs = now;
    const fitting = tookMs > 0 ? (this.#steps * EVERY_MS) / tookMs : STEPS_MAX;
    // At most twice as many as before, so that slow steps after quick ones are soon noticed.
    this.#steps = Math.floor(Math.max(1, Math.min(fitting, 2 * this.#steps, STEPS_MAX)));
    this.#stepsLeft = this.#steps;
    return true;
  }
}
