import { Session } from "node:inspector";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { resourceLimits } from "node:worker_threads";
import { MORE_MEMORY } from "./task-resources.ts";

/** The share of a heap that values may fill; a table of them needs the rest to grow. */
const FULL_SHARE = 0.75;

/** The limit of this thread's old generation, in bytes. */
export function heapBytesMax(): number {
  const { maxOldGenerationSizeMb } = resourceLimits;
  return maxOldGenerationSizeMb === undefined
    ? getHeapStatistics().heap_size_limit
    : maxOldGenerationSizeMb * MEGABYTE;
}

/** Whether a table has filled the heap so far that little else would fit. COST: as `holds`. */
export const isHeapNearlyFull = (): boolean => holds(FULL_SHARE * (heapBytesMax() - LEFT_BYTES));

/** This thread's heap holds more than there is room for. */
export class FullHeapError extends Error {
  /** `bytesMax`: the limit of the heap's old generation. */
  constructor(bytesMax: number) {
    super(fullHeap(bytesMax));
  }
}

export function fullHeap(bytesMax: number): string {
  const most = `${Math.floor(bytesMax / 1e6)} MB of heap, which is what --memory leaves a slot`;
  return `the code's values took more than ${most}: ${MORE_MEMORY}, or keep fewer at once`;
}

/**
 * Throws a FullHeapError if there is hardly any room left. A little later V8 would end the thread
 * itself, and give it 16 MB more to do so. COST: as `holds`.
 */
export function refuseFullHeap(): void {
  if (holds(heapBytesMax() - LEFT_BYTES)) throw new FullHeapError(heapBytesMax());
}

/** The bytes that this thread's heap may still take, garbage included, before it is refused. */
export const roomBytes = (): number =>
  heapBytesMax() - LEFT_BYTES - getHeapStatistics().used_heap_size;

/**
 * Whether values take this much of the heap. COST: some microseconds, or, if they seem to, a full
 * collection.
 */
function holds(bytes: number): boolean {
  if (getHeapStatistics().used_heap_size < bytes) return false;
  collectGarbage();
  return getHeapStatistics().used_heap_size >= bytes;
}

/** Bytes that may be added between two checks. */
const LEFT_BYTES = 4e6;

/** Bytes on this thread's heap, garbage included, and in buffers beside it. */
export function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/** Collects garbage; buffers are freed a little later. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/**
 * Returns unused heap of this thread to the system: start-up takes megabytes, which V8 would keep
 * until the thread has been idle for eight seconds. COST: some milliseconds.
 */
export function giveBackMemory(): void {
  const session = new Session();
  session.connect();
  // Collects as if the system's memory were low: a usual collection keeps memory that may be of use
  // later.
  session.post("HeapProfiler.collectGarbage", () => {
    // A disconnect within this callback would wait for itself.
    setImmediate(() => session.disconnect());
  });
}

let collect: (() => void) | undefined;

/** V8's own collector, which only contexts made after the flag is set have. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return () => {
    if (typeof found === "function") found();
  };
}

const MEGABYTE = 1024 * 1024;
