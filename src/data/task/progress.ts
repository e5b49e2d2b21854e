import { roomBytes } from "./heap.ts";

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
  /**
   * Called from within the task's loop, about every 20 ms of its run, and more often while the heap
   * fills up; must be quick.
   */
  progressed(progress: TaskProgress): void;
}

const EVERY_MS = 20;
const STEPS_MAX = 1 << 16;
/** The share of the heap's room that may fill up between two reports. */
const ROOM_SHARE = 0.5;
const LEAST_ROOM_BYTES = 1e6;

/**
 * Tells when a report is due. Most steps only add to a count: the clock and the heap's room are
 * read once in the number of steps that recently took one period, or half of the room. By the clock
 * alone, code on a fast processor would fill the heap between two reports, and V8 would end the
 * thread before a report could refuse it.
 */
export class Pacer {
  #stepsLeft = 1;
  #steps = 1;
  #lastMs = performance.now();
  readonly #room: () => number;
  #lastRoom: number;

  /** `room`: the bytes that the heap may still take. */
  constructor(room: () => number = roomBytes) {
    this.#room = room;
    this.#lastRoom = room();
  }

  /** Counts a step; returns true if a report is due. */
  step(): boolean {
    if (--this.#stepsLeft > 0) return false;
    const now = performance.now();
    const room = this.#room();
    const usable = Math.max(LEAST_ROOM_BYTES, room * ROOM_SHARE);
    const inTime = this.#fitting(EVERY_MS, now - this.#lastMs);
    const inRoom = this.#fitting(usable, this.#lastRoom - room);
    this.#lastMs = now;
    this.#lastRoom = room;
    // At most twice as many as before, so that slow steps after quick ones are soon noticed.
    const most = Math.min(inTime, inRoom, 2 * this.#steps);
    this.#steps = Math.floor(Math.max(1, most));
    this.#stepsLeft = this.#steps;
    return true;
  }

  /** The steps that take `all`, if the last ones took `part` of it; none or less: any number. */
  #fitting(all: number, part: number): number {
    return part > 0 ? Math.min(STEPS_MAX, (this.#steps * all) / part) : STEPS_MAX;
  }
}
