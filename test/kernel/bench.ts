import { expect } from "vitest";
import { defined } from "../../src/base/assert.ts";
import type { Kernel } from "../../src/data/kernel/kernel.ts";
import { loadKernel } from "../../src/data/kernel/load.ts";
import { KernelMemory } from "../../src/data/kernel/memory.ts";
import { decodeKey, encodeKey } from "../../src/job/index.ts";

/**
 * Layouts as `src/data/kernel/assembly` describes them, written down once more: a test that
 * imported them would share their mistakes.
 */
const ENTRY = { bytes: 24, first: 0, key: 8, keyBytes: 12, payload: 16, partition: 20 } as const;
const CELL_BYTES = 8;
/** The guard behind each allocation, which no kernel may change. */
const GUARD = { bytes: 64, value: 0xa5 } as const;

export interface Place {
  readonly at: number;
  readonly end: number;
}

/** The layout of text in memory. */
export interface Where {
  /** The offset from an aligned place, in bytes. */
  readonly shift: number;
  /** The character before and behind it. */
  readonly around: string;
}

/** An entry whose key lies in memory. */
export interface Entry {
  /** Bytes, each as one character. */
  readonly key: string;
  readonly payload: number;
  readonly partition: number;
}

/** Bytes, each as one character, so that texts compare like their bytes. */
export const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** The kernels and their memory, to which plain values are written and from which they are read. */
export class KernelBench {
  readonly memory = new KernelMemory(256 << 20);
  readonly kernel: Kernel = loadKernel(this.memory);
  #guards: number[] = [];
  /** For the second results of kernels. */
  readonly result = this.take(8);
  readonly #empty = this.memory.used;

  /** Aligned, not cleared, guarded. */
  take(bytes: number): number {
    const at = defined(this.memory.tryTake(bytes + GUARD.bytes), "room in a test's memory");
    this.memory.bytes.fill(GUARD.value, at + bytes, at + bytes + GUARD.bytes);
    this.#guards.push(at + bytes);
    return at;
  }

  takeZeros(bytes: number): number {
    const at = this.take(bytes);
    this.memory.bytes.fill(0, at, at + bytes);
    return at;
  }

  /** Allocates room for `count` entries. */
  takeEntries(count: number): number {
    return this.take(ENTRY.bytes * count);
  }

  /** Puts the bytes into the memory, among others that a kernel must not read. */
  put(bytes: Uint8Array, { shift, around }: Where = { shift: 0, around: "," }): Place {
    const [before, behind] = [64 + shift, 80];
    const taken = this.take(before + bytes.length + behind);
    const end = taken + before + bytes.length;
    this.memory.bytes.fill(around.charCodeAt(0), taken, end + behind);
    this.memory.bytes.set(bytes, taken + before);
    return { at: taken + before, end };
  }

  putU32(numbers: readonly number[]): number {
    const at = this.take(4 * numbers.length);
    numbers.forEach((number, i) => void this.memory.view.setUint32(at + 4 * i, number, true));
    return at;
  }

  putU64(numbers: readonly bigint[]): number {
    const at = this.take(8 * numbers.length);
    numbers.forEach((number, i) => void this.memory.view.setBigUint64(at + 8 * i, number, true));
    return at;
  }

  putF64(numbers: readonly number[]): number {
    const at = this.take(8 * numbers.length);
    numbers.forEach((number, i) => void this.memory.view.setFloat64(at + 8 * i, number, true));
    return at;
  }

  /** Cells of numbers as keys. */
  putNumberKeys(numbers: readonly number[]): number {
    return this.putU64(numbers.map(numberKey));
  }

  /** Cells of the keys, which are contiguous. */
  putCells(keys: readonly Uint8Array[]): number {
    let { at } = this.put(Buffer.concat(keys));
    return this.putU32(
      keys.flatMap((key) => {
        at += key.length;
        return [at - key.length, key.length];
      }),
    );
  }

  /** Entries of keys; the payload of each is its number. */
  putEntries(keys: readonly Uint8Array[], partitions: readonly number[] = []): number {
    const places = keys.map((key) => this.put(key).at);
    const entries = this.takeEntries(keys.length);
    const { view } = this.memory;
    keys.forEach((key, i) => {
      const entry = entries + i * ENTRY.bytes;
      view.setBigUint64(entry + ENTRY.first, firstBytes(latin1(key)), true);
      view.setUint32(entry + ENTRY.key, places[i] ?? 0, true);
      view.setUint32(entry + ENTRY.keyBytes, key.length, true);
      view.setUint32(entry + ENTRY.payload, i, true);
      view.setUint32(entry + ENTRY.partition, partitions[i] ?? 0, true);
    });
    return entries;
  }

  /** Entries of numbers: the first bytes are the key; the payload of each is its number. */
  putNumberEntries(numbers: readonly number[]): number {
    const entries = this.putEntries(numbers.map(() => Buffer.alloc(8)));
    numbers.forEach((number, i) => {
      this.memory.view.setBigUint64(entries + i * ENTRY.bytes, numberKey(number), true);
    });
    return entries;
  }

  setPayload(entries: number, index: number, payload: number): void {
    this.memory.view.setUint32(entries + index * ENTRY.bytes + ENTRY.payload, payload, true);
  }

  /** The place of an entry. */
  entryAt(entries: number, index: number): number {
    return entries + index * ENTRY.bytes;
  }

  /** Whether an entry has the first 8 bytes of its key: sorting uses them up. */
  entries(at: number, count: number, isFirst: "first bytes" | "any" = "first bytes"): Entry[] {
    return Array.from({ length: count }, (_, i) => {
      const entry = at + i * ENTRY.bytes;
      const [place, bytes, payload, partition] = [
        ...[ENTRY.key, ENTRY.keyBytes, ENTRY.payload, ENTRY.partition],
      ].map((field) => this.u32(entry + field));
      const key = this.text(place ?? 0, (place ?? 0) + (bytes ?? 0));
      if (isFirst === "first bytes") {
        expect(this.u64(entry + ENTRY.first), `first bytes of ${key}`).toBe(firstBytes(key));
      }
      return { key, payload: payload ?? 0, partition: partition ?? 0 };
    });
  }

  /** Entries of numbers. */
  numberEntries(at: number, count: number): { number: number; payload: number }[] {
    return Array.from({ length: count }, (_, i) => ({
      number: keyedNumber(this.u64(at + i * ENTRY.bytes)),
      payload: this.u32(at + i * ENTRY.bytes + ENTRY.payload),
    }));
  }

  partitions(at: number, count: number): number[] {
    const first = at + ENTRY.partition;
    return Array.from({ length: count }, (_, i) => this.u32(first + i * ENTRY.bytes));
  }

  /** The key that a cell names. */
  cell(cells: number, index: number): string {
    const at = this.u32(cells + index * CELL_BYTES);
    return this.text(at, at + this.u32(cells + index * CELL_BYTES + 4));
  }

  u32(at: number): number {
    return this.memory.view.getUint32(at, true);
  }

  u64(at: number): bigint {
    return this.memory.view.getBigUint64(at, true);
  }

  f64(at: number): number {
    return this.memory.view.getFloat64(at, true);
  }

  u32s(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.u32(at + 4 * i));
  }

  text(at: number, end: number): string {
    return latin1(this.memory.bytes.subarray(at, end));
  }

  /** Checks the guards of all allocations since the last call, and frees them. */
  clear(): void {
    const { bytes } = this.memory;
    const harmed = this.#guards.flatMap((at) => {
      const found = bytes.subarray(at, at + GUARD.bytes);
      const first = found.findIndex((byte) => byte !== GUARD.value);
      return first < 0 ? [] : [`${first} bytes behind the ${at - this.#empty}th`];
    });
    expect(harmed, "what a kernel has written outside of what it may").toEqual([]);
    this.#guards = [];
    this.memory.release(this.#empty);
  }
}

let shared: KernelBench | undefined;

/** Calls `run` with an empty bench; kernels may write only to their allocations. */
export function onBench<T>(run: (bench: KernelBench) => T): T {
  shared ??= new KernelBench();
  const bench = shared;
  try {
    const found = run(bench);
    bench.clear();
    return found;
  } catch (thrown) {
    // The next test must not use the memory of a failed one.
    shared = undefined;
    throw thrown;
  }
}

/** The first 8 bytes as a big-endian number, padded with zeros. */
export const firstBytes = (text: string): bigint =>
  Buffer.from(text.slice(0, 8).padEnd(8, "\0"), "latin1").readBigUInt64BE();

/** A number's key without its tag, as a big-endian number: docs/internals/formats.md. */
export const numberKey = (number: number): bigint =>
  Buffer.from(encodeKey(number)).readBigUInt64BE(1);

export function keyedNumber(key: bigint): number {
  const bytes = Buffer.alloc(9, encodeKey(0).subarray(0, 1));
  bytes.writeBigUInt64BE(key, 1);
  return Number(decodeKey(bytes));
}
