import { totalmem } from "node:os";

/** The resources that each attempt of a job may use. */
export interface TaskMeans {
  /** The bytes that it may hold: in the kernels' memory, and as the user's values on the heap. */
  readonly memoryBytes: number;
  /** Whether shuffles are deflated. */
  readonly compress: boolean;
}

/** The limits of a slot thread's heap, whatever the user's code does. */
export interface HeapLimits {
  /** The young generation, which is mostly garbage. */
  readonly youngBytes: number;
  readonly oldBytes: number;
}

/** The share of the cluster's memory that one slot may have. */
export interface MemoryShare {
  /** The slots of each kind that may be at work at once, over all nodes. */
  readonly slots: number;
  /** The slots of this share on a node: no more than requested. */
  readonly slotsOfNode: number;
  readonly taskBytes: number;
  readonly heap: HeapLimits;
}

export interface MemoryQuery {
  /** The bytes that all processes together may hold, above those of an idle cluster. */
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
 * too small to work with, fewer slots work at once.
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
/** Bytes of a working thread besides its task's memory, as measured: code, garbage, buffers. */
const BESIDE_BYTES = 10e6;
const LEAST_BYTES = 4e6;

const MEGABYTE = 1024 * 1024;
/**
 * V8 has three semispaces for the young generation, of up to 16 MB each by default. A map's values
 * mostly die at once, so more room only means memory outside the caches: a job whose map is a
 * generator took a tenth longer with 16 MB.
 */
const SEMISPACES = 3;
const SEMISPACE_BYTES_MAX = 4 * MEGABYTE;
const SEMISPACE_SHARE = 1 / 16;
/** The heap of an idle thread, with a small margin. */
const IDLE_HEAP_BYTES = 16e6;

/** The share of a task's memory that the user's values may fill on the heap, if there are any. */
export const USER_SHARE = 0.4;

/** A quarter of the machine's memory. */
export const usualMemory = (): number => Math.floor(totalmem() / 4);

/** Advice for an attempt that lacks memory. */
export const MORE_MEMORY = "give it more, let fewer nodes or slots share it";
