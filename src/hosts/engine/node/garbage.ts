import { collectGarbage, heldBytes } from "../data/heap.ts";

/**
 * Throws garbage away before it comes to more than a share of memory has room for: by itself V8
 * waits until its heap is full, or until tens of megabytes of buffers lie beside it.
 */
export class Garbage {
  readonly #bytesMax: number;
  /** What may be held until it is looked for; undefined: that is to be found out. */
  #limit: number | undefined;

  /** `memoryBytes`: of the thread's task. */
  constructor(memoryBytes: number) {
    this.#bytesMax = Math.max(LEAST_BYTES, memoryBytes * GARBAGE_SHARE);
  }

  /** To be called often: it costs some microseconds unless there is something to do. */
  look(): void {
    this.#limit ??= heldBytes() + this.#bytesMax;
    if (heldBytes() <= this.#limit) return;
    collectGarbage();
    // Buffers are freed a little later.
    this.#limit = undefined;
  }
}

const GARBAGE_SHARE = 1 / 8;
const LEAST_BYTES = 6e6;
