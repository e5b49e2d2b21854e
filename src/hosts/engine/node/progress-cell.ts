import type { ProgressListener, TaskProgress } from "../../../data/index.ts";

/**
 * The progress of one attempt, in memory shared by its thread and the node's main thread: written
 * within the user's loop, read with each heartbeat. The fields of one reading may come from two
 * moments; each field is correct.
 */
const FIELDS = 7;
const [BEATS, STAGE, SCORE, BYTES_READ, BYTES_WRITTEN, RECORDS, WORKING] = [
  0, 1, 2, 3, 4, 5, 6,
] as const;

export interface ProgressReading extends TaskProgress {
  /** Grows whenever the attempt shows that it is alive. */
  readonly beats: number;
  readonly working: boolean;
}

export const newProgressMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(FIELDS * Float64Array.BYTES_PER_ELEMENT);

export class ProgressCell implements ProgressListener {
  readonly #fields: Float64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#fields = new Float64Array(memory);
  }

  progressed(progress: TaskProgress): void {
    this.#fields[STAGE] = progress.stage;
    this.#fields[SCORE] = progress.score;
    this.#fields[BYTES_READ] = progress.bytesRead;
    this.#fields[BYTES_WRITTEN] = progress.bytesWritten;
    this.#fields[RECORDS] = progress.records;
    this.beat();
  }

  /** Shows that the attempt is alive although its score stands still. */
  beat(): void {
    this.#fields[BEATS] = this.#at(BEATS) + 1;
  }

  works(working: boolean): void {
    this.#fields[WORKING] = working ? 1 : 0;
    this.beat();
  }

  read(): ProgressReading {
    return {
      beats: this.#at(BEATS),
      stage: this.#at(STAGE),
      score: this.#at(SCORE),
      bytesRead: this.#at(BYTES_READ),
      bytesWritten: this.#at(BYTES_WRITTEN),
      records: this.#at(RECORDS),
      working: this.#at(WORKING) === 1,
    };
  }

  #at(field: number): number {
    return this.#fields[field] ?? 0;
  }
}
