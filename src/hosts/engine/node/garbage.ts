import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Throws garbage away before it comes to more than a share of memory has room for: by itself V8
 * waits until its heap is full, or until tens of megabytes of buffers lie beside it.
 */
export class Garbage {
  readonly #bytesMax: number;
  /** What may be held until it is looked for; undefined: that is to be found out. */
  #limit: number | undefined;
  #collect: (() => void) | undefined;

  /** `memoryBytes`: of the thread's task. */
  constructor(memoryBytes: number) {
    this.#bytesMax = Math.max(LEAST_BYTES, memoryBytes * GARBAGE_SHARE);
  }

  /** To be called often: it costs some microseconds unless there is something to do. */
  look(): void {
    this.#limit ??= held() + this.#bytesMax;
    if (held() <= this.#limit) return;
    this.#collect ??= collector();
    this.#collect();
    // Buffers are freed a little later.
    this.#limit = undefined;
  }
}

const GARBAGE_SHARE = 1 / 8;
const LEAST_BYTES = 6e6;

function held(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/** V8's own, which only contexts have that are made after the flag is set. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return () => {
    if (typeof collect === "function") collect();
  };
}
