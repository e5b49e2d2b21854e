import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { resourceLimits } from "node:worker_threads";

/** What values may fill of a heap before a table of them would need the rest to grow. */
const FULL_SHARE = 0.75;

/** What this thread's heap may hold, in bytes, of what is not new. */
export function heapBytesMax(): number {
  const { maxOldGenerationSizeMb } = resourceLimits;
  return maxOldGenerationSizeMb === undefined
    ? getHeapStatistics().heap_size_limit
    : maxOldGenerationSizeMb * MEGABYTE;
}

/**
 * Whether so much of it is filled that V8 might end the thread soon. COST: some microseconds, or,
 * if it seems so, to look through all of the heap.
 */
export function isHeapNearlyFull(): boolean {
  const most = FULL_SHARE * heapBytesMax();
  if (getHeapStatistics().used_heap_size < most) return false;
  collectGarbage();
  return getHeapStatistics().used_heap_size >= most;
}

/** What this thread holds on its heap, garbage too, and in buffers beside it. */
export function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/** Buffers are freed a little later. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

let collect: (() => void) | undefined;

/** V8's own, which only contexts have that are made after the flag is set. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return () => {
    if (typeof found === "function") found();
  };
}

const MEGABYTE = 1024 * 1024;
