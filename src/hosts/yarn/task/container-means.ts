/** How the memory of a task's container is divided: `mapreduce.{map,reduce}.memory.mb`. */
export interface ContainerMeans {
  /** `-Xmx` of Hadoop's part, which moves bytes and sorts them. */
  readonly javaHeapMb: number;
  /** `mapreduce.task.io.sort.mb`, a part of that heap. */
  readonly sortMb: number;
  /** The memory of one task of the runner: `TaskJob.memory`. */
  readonly memoryBytes: number;
  /** Flags of the Node process that runs the user's code. */
  readonly nodeFlags: readonly string[];
}

const MEGABYTE = 1024 * 1024;
const JAVA_SHARE = 1 / 4;
const JAVA_HEAP_MB_MIN = 64;
const JAVA_HEAP_MB_MAX = 512;
const SORT_SHARE = 1 / 4;
/** The memory of a JVM outside its heap, and of an idle Node. */
const JAVA_BESIDE_MB = 90;
const NODE_BESIDE_MB = 60;
/** The least memory of a task: even in a small container the task works, by spilling. */
const MEMORY_BYTES_MIN = 4e6;
/** The share of the runner's memory left for garbage and for buffers outside the heap. */
const SLACK_SHARE = 0.1;
/**
 * The share of a task's memory that values of the user's code may take of the heap, and the heap of
 * an idle Node.
 */
const USER_SHARE = 0.4;
const IDLE_HEAP_BYTES = 16e6;
const SEMISPACE_MB_MAX = 16;

export function containerMeans(containerMb: number): ContainerMeans {
  const wished = Math.floor(containerMb * JAVA_SHARE);
  const javaHeapMb = Math.min(JAVA_HEAP_MB_MAX, Math.max(JAVA_HEAP_MB_MIN, wished));
  const nodeMb = containerMb - javaHeapMb - JAVA_BESIDE_MB - NODE_BESIDE_MB;
  const memoryBytes = Math.max(MEMORY_BYTES_MIN, nodeMb * MEGABYTE * (1 - SLACK_SHARE));
  const oldMb = Math.ceil((IDLE_HEAP_BYTES + USER_SHARE * memoryBytes) / MEGABYTE);
  const semispaceMb = Math.min(SEMISPACE_MB_MAX, Math.max(1, Math.floor(containerMb / 64)));
  return {
    javaHeapMb,
    sortMb: Math.floor(javaHeapMb * SORT_SHARE),
    memoryBytes: Math.floor(memoryBytes),
    nodeFlags: [`--max-old-space-size=${oldMb}`, `--max-semi-space-size=${semispaceMb}`],
  };
}
