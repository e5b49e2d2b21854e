import { collectGarbage, heldBytes } from "../../../data/task/heap.ts";

/**
 * Throws garbage away before it comes to more than a share of memory has room for: by itself V8
 * waits until its heap is full, or until tens of megabytes of buffers lie beside it.
 */
export class Garbage {
  readonly #bytesMax: number;
  /** The least that was held since it was last thrown away; undefined: that is to be found out. */
  #least: number | undefined;

  /** `memoryBytes`: of the thread's task. */
  constructor(memoryBytes: number) {
    this.#bytesMax = Math.max(LEAST_BYTES, memoryBytes * GARBAGE_SHARE);
  }

  /** To be called often: it costs some microseconds unless there is something to do. */
  look(): void {
    const held = heldBytes();
    // Buffers that are thrown away are freed a little later.
    this.#least = Math.min(this.#least ?? held, held);
    if (held <= this.#least + this.#bytesMax) return;
    collectGarbage();
    this.#least = undefined;
  }
}

const GARBAGE_SHARE = 1 / 8;
const LEAST_BYTES = 6e6;
