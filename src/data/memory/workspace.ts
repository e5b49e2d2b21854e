import { defined } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import { type Kernel, RESULT_BYTES } from "../kernel/kernel.ts";
import { loadKernel } from "../kernel/load.ts";
import { KernelMemory } from "../kernel/memory.ts";
import { MORE_MEMORY } from "../task/task-resources.ts";

/** What a task may use by default: see `PhaseTask`. */
export const MEMORY_BYTES = 64 * 1024 * 1024;

/** Of that, what kernels may fill of it where values of the user's code need the rest. */
export const KERNELS_SHARE = 0.6;

/** Tables and buffers of fixed size want so much, whatever the task may use. */
const LEAST_BYTES = 4 * 1024 * 1024;

/**
 * A record that is written once, being the half of it, is read again with others as large: twice as
 * much, and this.
 */
export const BEYOND = 2.5;

/** Records of a run file are put here, a block at a time. */
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
  /** Its limit. */
  readonly bytes: number;
  readonly memory: KernelMemory;
  readonly kernel: Kernel;
  /** A place for what else a kernel returns. */
  readonly result: number;
  /** Where blocks are made before they are written. */
  readonly out: number;
  readonly outEnd: number;
  readonly #mark: number;

  /** `bytesMost`: for what one record alone needs. */
  constructor(bytes: number, bytesMost = BEYOND * bytes) {
    this.bytes = bytes;
    this.memory = new KernelMemory(bytes, bytesMost);
    this.kernel = loadKernel(this.memory);
    this.result = this.take(RESULT_BYTES);
    this.out = this.take(OUT_BYTES);
    this.outEnd = this.out + OUT_BYTES;
    this.#mark = this.memory.used;
  }

  /** Where a record is that may be larger than what is left of the limit. InputError. */
  takeLarge(bytes: number): number {
    const at = this.memory.tryTake(bytes) ?? this.memory.tryTakeBeyond(bytes);
    if (at === undefined) throw tooLarge(bytes, this.memory.bytesMax);
    return at;
  }

  /** Where so many bytes are; only for what always has room. */
  take(bytes: number): number {
    return defined(this.memory.tryTake(bytes), "room for what is small");
  }

  /** The first number that the last call of a kernel left beside what it returned. */
  get reached(): number {
    return this.memory.view.getUint32(this.result, true);
  }

  /** The second one. */
  get isOther(): boolean {
    return this.memory.view.getUint32(this.result + 4, true) !== 0;
  }

  /** Forgets everything. */
  clear(): void {
    this.memory.release(this.#mark);
  }
}

/** Of the thread: what a task has used, the next one uses again, since fresh memory is slow. */
const idle: Workspace[] = [];
let idleBytes = 0;

/** `mostBytes`: see `Workspace`. */
export function takeWorkspace(memoryBytes: number, mostBytes = BEYOND * memoryBytes): Workspace {
  const bytes = Math.max(memoryBytes, LEAST_BYTES);
  // One task follows another with the same limit; another limit makes what is kept useless.
  if (bytes !== idleBytes) idle.length = 0;
  idleBytes = bytes;
  return idle.pop() ?? new Workspace(bytes, Math.max(mostBytes, BEYOND * LEAST_BYTES));
}

export function giveBack(space: Workspace): void {
  space.clear();
  const isUsual = space.bytes === idleBytes && !space.memory.isBeyond;
  if (idle.length === 0 && isUsual) idle.push(space);
}
