import { collectGarbage, heldBytes } from "../../../data/task/heap.ts";

/**
 * Collects garbage before it takes more than a share of memory. Left alone, V8 waits until its heap
 * is full, or until tens of megabytes of buffers lie beside the heap.
 */
export class Garbage {
  readonly #bytesMax: number;
  /** The least memory held since the last collection; undefined until the next look. */
  #least: number | undefined;

  /** `memoryBytes`: the memory of the thread's task. */
  constructor(memoryBytes: number) {
    this.#bytesMax = Math.max(LEAST_BYTES, memoryBytes * GARBAGE_SHARE);
  }

  /**
   * Collects if needed. Cheap enough to call often: a few microseconds when there is nothing to do.
   */
  look(): void {
    const held = heldBytes();
    // Collected buffers are freed a little later.
    this.#least = Math.min(this.#least ?? held, held);
    if (held <= this.#least + this.#bytesMax) return;
    collectGarbage();
    this.#least = undefined;
  }
}

const GARBAGE_SHARE = 1 / 8;
const LEAST_BYTES = 6e6;
