import { GCProfiler, getHeapStatistics } from "node:v8";

/**
 * Counts the bytes that the calling thread allocates on its heap, those of objects that are garbage
 * soon among them: what the heap grew by before each collection.
 */
export class Allocations {
  readonly #profiler = new GCProfiler();
  readonly #usedAtStart: number;

  constructor() {
    this.#profiler.start();
    this.#usedAtStart = getHeapStatistics().used_heap_size;
  }

  /** The bytes since the start. Ends the count. */
  stop(): number {
    const usedAtEnd = getHeapStatistics().used_heap_size;
    let bytes = 0;
    let used = this.#usedAtStart;
    for (const { beforeGC, afterGC } of this.#profiler.stop().statistics) {
      bytes += beforeGC.heapStatistics.usedHeapSize - used;
      used = afterGC.heapStatistics.usedHeapSize;
    }
    return bytes + usedAtEnd - used;
  }
}
