/** How the memory of a task's container is parted: `mapreduce.{map,reduce}.memory.mb`. */
export interface ContainerMeans {
  /** `-Xmx` of Hadoop's part, which moves bytes and sorts them. */
  readonly javaHeapMb: number;
  /** `mapreduce.task.io.sort.mb`, of that heap. */
  readonly sortMb: number;
  /** What a task of the runner's may hold: `TaskJob.memory`. */
  readonly memoryBytes: number;
  /** Of Node's, which runs the user's code. */
  readonly nodeFlags: readonly string[];
}

const MEGABYTE = 1024 * 1024;
const JAVA_SHARE = 1 / 4;
const JAVA_HEAP_MB_MIN = 64;
const JAVA_HEAP_MB_MAX = 512;
const SORT_SHARE = 1 / 4;
/** What a JVM holds beside its heap, and what Node holds before it does anything. */
const JAVA_BESIDE_MB = 90;
const NODE_BESIDE_MB = 60;
/** However small the container: the task spills, and works. */
const MEMORY_BYTES_MIN = 4e6;
/** Of the runner's, what is left to garbage and to buffers outside the heap. */
const SLACK_SHARE = 0.1;
/** Of a task's memory, what values of the user's code may fill of the heap; and what is there. */
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
