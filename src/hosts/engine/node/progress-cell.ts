import type { ProgressListener, TaskProgress } from "../../../data/index.ts";

/**
 * One attempt's progress in memory that its thread and the node's main thread share: written from
 * within the user's loop, read with each heartbeat. Fields of one report may be of two moments;
 * each is true.
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

  /** It is alive, though its score stands still. */
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
