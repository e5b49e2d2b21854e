import { defined } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import { type Kernel, RESULT_BYTES } from "../kernel/kernel.ts";
import { loadKernel } from "../kernel/load.ts";
import { KernelMemory } from "../kernel/memory.ts";
import { MORE_MEMORY } from "../task/task-resources.ts";

/** The default memory of a task: see `PhaseTask`. */
export const MEMORY_BYTES = 64 * 1024 * 1024;

/** The share of it that kernels may fill where values of the user's code need the rest. */
export const KERNELS_SHARE = 0.6;

/** The room for tables and buffers of fixed size, whatever the task's memory. */
const LEAST_BYTES = 4 * 1024 * 1024;

/**
 * A record that is half of the memory when written is read again beside others as large: twice the
 * memory, and a margin.
 */
export const BEYOND = 2.5;

/** Bytes of the buffer in which the records of a run file are made, a block at a time. */
const OUT_BYTES = 64 * 1024;

export const tooLarge = (bytes: number, bytesMax: number): InputError => {
  const most = `the task's memory of ${megabytes(bytesMax)}, its share of --memory`;
  const cure = `${MORE_MEMORY}, or make them smaller`;
  const found = `a record of ${megabytes(bytes)}`;
  const expected = `expected records that fit ${most}, found ${found}: ${cure}`;
  return new InputError("bad-input", "record", expected);
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** The memory that one task works in, with its kernels. */
export class Workspace {
  /** The limit, in bytes. */
  readonly bytes: number;
  readonly memory: KernelMemory;
  readonly kernel: Kernel;
  /** The place for a kernel's further results. */
  readonly result: number;
  /** The place where blocks are made before they are written. */
  readonly out: number;
  readonly outEnd: number;
  readonly #mark: number;

  /** `bytesMost`: the limit for a single large record. */
  constructor(bytes: number, bytesMost = BEYOND * bytes) {
    this.bytes = bytes;
    this.memory = new KernelMemory(bytes, bytesMost);
    this.kernel = loadKernel(this.memory);
    this.result = this.take(RESULT_BYTES);
    this.out = this.take(OUT_BYTES);
    this.outEnd = this.out + OUT_BYTES;
    this.#mark = this.memory.used;
  }

  /** The place for a record that may be larger than the rest of the limit. Throws an InputError. */
  takeLarge(bytes: number): number {
    const at = this.memory.tryTake(bytes) ?? this.memory.tryTakeBeyond(bytes);
    if (at === undefined) throw tooLarge(bytes, this.memory.bytesMax);
    return at;
  }

  /** The place of the bytes; only for sizes that always fit. */
  take(bytes: number): number {
    return defined(this.memory.tryTake(bytes), "room for what is small");
  }

  /** The first number that the last kernel call left besides its return value. */
  get reached(): number {
    return this.memory.view.getUint32(this.result, true);
  }

  /** The second such number, as a boolean. */
  get isOther(): boolean {
    return this.memory.view.getUint32(this.result + 4, true) !== 0;
  }

  /** Frees everything. */
  clear(): void {
    this.memory.release(this.#mark);
  }
}

/** Workspaces of this thread's finished tasks, for the next ones, since fresh memory is slow. */
const idle: Workspace[] = [];
let idleBytes = 0;

/** `mostBytes`: see `Workspace`. */
export function takeWorkspace(memoryBytes: number, mostBytes = BEYOND * memoryBytes): Workspace {
  const bytes = Math.max(memoryBytes, LEAST_BYTES);
  // Consecutive tasks have the same limit; with a new limit the idle workspaces are useless.
  if (bytes !== idleBytes) idle.length = 0;
  idleBytes = bytes;
  return idle.pop() ?? new Workspace(bytes, Math.max(mostBytes, BEYOND * LEAST_BYTES));
}

export function giveBack(space: Workspace): void {
  space.clear();
  const isUsual = space.bytes === idleBytes && !space.memory.isBeyond;
  if (idle.length === 0 && isUsual) idle.push(space);
}
