import { totalmem } from "node:os";

/** What each attempt of a job may use. */
export interface TaskMeans {
  /** What it may hold: in the kernels' memory, and of the user's values on the heap. */
  readonly memoryBytes: number;
  /** Whether what is shuffled is deflated. */
  readonly compress: boolean;
}

/** What a slot's thread may hold on its heap, whatever the user's code does there. */
export interface HeapLimits {
  /** What is new: mostly garbage. */
  readonly youngBytes: number;
  readonly oldBytes: number;
}

/** What one slot may have of the cluster's memory. */
export interface MemoryShare {
  /** How many slots of each kind may be at work at once, on all nodes together. */
  readonly slots: number;
  /** How many of these a node may have: no more than was asked for. */
  readonly slotsOfNode: number;
  readonly taskBytes: number;
  readonly heap: HeapLimits;
}

export interface MemoryQuery {
  /** What all processes may hold together, above those of an idle cluster. */
  readonly memoryBytes?: number;
  readonly nodes: number;
  readonly slots: number;
}

export const meansOf = (query: MemoryQuery & { readonly compress?: boolean }): TaskMeans => ({
  compress: query.compress ?? false,
  memoryBytes: memoryShare(query).taskBytes,
});

/**
 * An equal part for each slot that may be at work at once, maps and reduces. Where parts would be
 * too small to work with, fewer slots are at work at once.
 */
export function memoryShare(query: MemoryQuery): MemoryShare {
  const { memoryBytes = usualMemory(), nodes } = query;
  const forThreads = (memoryBytes * THREADS_SHARE) / SLOT_KINDS;
  const most = Math.max(1, Math.floor(forThreads / (BESIDE_BYTES + LEAST_BYTES)));
  const slotsOfNode = Math.min(query.slots, Math.max(1, Math.floor(most / nodes)));
  const slots = Math.min(most, nodes * slotsOfNode);
  const ofSlot = forThreads / slots;
  const taskBytes = Math.max(Math.floor(ofSlot - BESIDE_BYTES), LEAST_BYTES);
  const semispaceBytes = Math.min(ofSlot * SEMISPACE_SHARE, SEMISPACE_BYTES_MAX);
  return {
    slots,
    slotsOfNode,
    taskBytes,
    heap: {
      youngBytes: Math.floor(SEMISPACES * Math.max(semispaceBytes, MEGABYTE)),
      oldBytes: Math.floor(IDLE_HEAP_BYTES + USER_SHARE * taskBytes),
    },
  };
}

const SLOT_KINDS = 2;
/** The rest is for the master and the nodes' main threads. */
const THREADS_SHARE = 0.9;
/** What a thread at work holds beside its task's memory, as measured: code, garbage, buffers. */
const BESIDE_BYTES = 10e6;
const LEAST_BYTES = 4e6;

const MEGABYTE = 1024 * 1024;
/**
 * V8 has three of them for what is new, and takes up to 16 MB for one unless told. What a map makes
 * of its records is mostly gone at once: more room only means memory that is in no cache. A job
 * whose map is a generator took a tenth longer with 16.
 */
const SEMISPACES = 3;
const SEMISPACE_BYTES_MAX = 4 * MEGABYTE;
const SEMISPACE_SHARE = 1 / 16;
/** What the heap of a thread has before it does anything, and a little room beside. */
const IDLE_HEAP_BYTES = 16e6;

/** Of a task's memory, what values of the user's code may fill of the heap where there are any. */
export const USER_SHARE = 0.4;

/** A quarter of the machine's. */
export const usualMemory = (): number => Math.floor(totalmem() / 4);

/** What its user can do about an attempt that has not the memory it needs. */
export const MORE_MEMORY = "give it more, let fewer nodes or slots share it";
