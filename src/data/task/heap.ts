import { Session } from "node:inspector";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { resourceLimits } from "node:worker_threads";
import { MORE_MEMORY } from "./task-resources.ts";

/** What values may fill of a heap before a table of them would need the rest to grow. */
const FULL_SHARE = 0.75;

/** What this thread's heap may hold, in bytes, of what is not new. */
export function heapBytesMax(): number {
  const { maxOldGenerationSizeMb } = resourceLimits;
  return maxOldGenerationSizeMb === undefined
    ? getHeapStatistics().heap_size_limit
    : maxOldGenerationSizeMb * MEGABYTE;
}

/** Whether a table has filled so much of it that little else would fit. COST: as `holds`. */
export const isHeapNearlyFull = (): boolean => holds(FULL_SHARE * (heapBytesMax() - LEFT_BYTES));

/** What this thread's heap holds is more than there is room for. */
export class FullHeapError extends Error {
  /** `bytesMax`: of the heap, of what is not new. */
  constructor(bytesMax: number) {
    super(fullHeap(bytesMax));
  }
}

export function fullHeap(bytesMax: number): string {
  const most = `${Math.floor(bytesMax / 1e6)} MB of heap, which is what --memory leaves a slot`;
  return `the code's values took more than ${most}: ${MORE_MEMORY}, or keep fewer at once`;
}

/**
 * FullHeapError, if there is hardly room left. V8 itself would end the thread a little later, and
 * give it 16 MB more to end in. COST: as `holds`.
 */
export function refuseFullHeap(): void {
  if (holds(heapBytesMax() - LEFT_BYTES)) throw new FullHeapError(heapBytesMax());
}

/**
 * Whether values take so much of the heap. COST: some microseconds, or, if it seems so, to look
 * through all of the heap.
 */
function holds(bytes: number): boolean {
  if (getHeapStatistics().used_heap_size < bytes) return false;
  collectGarbage();
  return getHeapStatistics().used_heap_size >= bytes;
}

/** What may come between two looks. */
const LEFT_BYTES = 4e6;

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

/**
 * Gives the system all that this thread's heap holds and does not need: to begin takes megabytes,
 * which V8 would keep until nothing has happened for eight seconds. COST: some milliseconds.
 */
export function giveBackMemory(): void {
  const session = new Session();
  session.connect();
  // As when the system says that memory is low: a usual collection keeps what may be of use later.
  session.post("HeapProfiler.collectGarbage", () => {
    // Within this callback it would wait for itself.
    setImmediate(() => session.disconnect());
  });
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
