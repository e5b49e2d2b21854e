import { totalmem } from "node:os";

/** What each attempt of a job may use. */
export interface TaskMeans {
  /** Memory beside the user's own values. */
  readonly memoryBytes: number;
  /** Whether what is shuffled is deflated. */
  readonly compress: boolean;
}

export interface MeansQuery {
  /** What all processes may hold together, above those of an idle cluster. */
  readonly memoryBytes?: number;
  readonly compress?: boolean;
  readonly nodes: number;
  readonly slots: number;
}

/**
 * One part of the memory for each slot that may be at work at once, maps and reduces: the rest is
 * for what the attempts' threads hold beside their buffers.
 */
export function meansOf(query: MeansQuery): TaskMeans {
  const { memoryBytes = usualMemory(), compress = false, nodes, slots } = query;
  const atWork = nodes * slots * 2;
  const bytes = Math.floor((memoryBytes * THREADS_SHARE) / atWork) - BESIDE_BYTES;
  return { compress, memoryBytes: Math.max(bytes, LEAST_BYTES) };
}

/** The rest is for the master and the nodes' main threads. */
const THREADS_SHARE = 0.9;
/** What a thread at work holds beside its task's memory, as measured: code, and garbage. */
const BESIDE_BYTES = 12e6;
const LEAST_BYTES = 3e6;

/** A quarter of the machine's. */
export const usualMemory = (): number => Math.floor(totalmem() / 4);
