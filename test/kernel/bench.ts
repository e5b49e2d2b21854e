import fc from "fast-check";
import { defined } from "../../src/base/assert.ts";
import { ENTRY_BYTES, type Kernel, RESULT_BYTES } from "../../src/data/kernel/kernel.ts";
import { loadKernel } from "../../src/data/kernel/load.ts";
import { KernelMemory } from "../../src/data/kernel/memory.ts";

/** A kernel, its memory, and a place for second results. */
export class KernelBench {
  readonly memory = new KernelMemory(256 << 20);
  readonly kernel: Kernel;
  readonly result: number;
  readonly #empty: number;

  constructor() {
    this.kernel = loadKernel(this.memory);
    this.result = this.take(RESULT_BYTES);
    this.#empty = this.memory.used;
  }

  take(bytes: number): number {
    return defined(this.memory.tryTake(bytes), "room in a test's memory");
  }

  /** The bytes in the memory, `shift` bytes off where they would be, within others that differ. */
  put(bytes: Uint8Array, shift = 0): { readonly at: number; readonly end: number } {
    const taken = this.take(shift + bytes.length + 80);
    this.memory.bytes.fill(0x2c, taken, taken + shift + bytes.length + 80);
    this.memory.bytes.set(bytes, taken + shift);
    return { at: taken + shift, end: taken + shift + bytes.length };
  }

  putU32(numbers: readonly number[]): number {
    const at = this.take(4 * numbers.length);
    numbers.forEach((number, i) => void this.memory.view.setUint32(at + 4 * i, number, true));
    return at;
  }

  putF64(numbers: readonly number[]): number {
    const at = this.take(8 * numbers.length);
    numbers.forEach((number, i) => void this.memory.view.setFloat64(at + 8 * i, number, true));
    return at;
  }

  u32(at: number): number {
    return this.memory.view.getUint32(at, true);
  }

  u32s(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.u32(at + 4 * i));
  }

  /** Bytes in Latin-1. */
  text(at: number, end: number): string {
    return Buffer.from(this.memory.bytes.subarray(at, end)).toString("latin1");
  }

  /** Cells of the keys, which are put one after the other. */
  putCells(keys: readonly Uint8Array[]): number {
    const places = keys.flatMap((key) => [this.put(key).at, key.length]);
    return this.putU32(places);
  }

  /** Entries of keys, their payload their number. */
  putEntries(keys: readonly Uint8Array[], partitions: readonly number[] = []): number {
    const places = keys.map((key) => this.put(key).at);
    const entries = this.take(ENTRY_BYTES * keys.length);
    const { view } = this.memory;
    keys.forEach((key, i) => {
      const at = entries + i * ENTRY_BYTES;
      view.setBigUint64(at, firstBytes(key), true);
      view.setUint32(at + 8, places[i] ?? 0, true);
      view.setUint32(at + 12, key.length, true);
      view.setUint32(at + 16, i, true);
      view.setUint32(at + 20, partitions[i] ?? 0, true);
    });
    return entries;
  }

  entries(at: number, count: number): { key: string; payload: number; partition: number }[] {
    return Array.from({ length: count }, (_, i) => {
      const [key = 0, bytes = 0, payload = 0, partition = 0] = this.u32s(
        at + i * ENTRY_BYTES + 8,
        4,
      );
      return { key: this.text(key, key + bytes), payload, partition };
    });
  }

  clear(): void {
    this.memory.release(this.#empty);
  }
}

const firstBytes = (key: Uint8Array): bigint => {
  const bytes = Buffer.alloc(8);
  bytes.set(key.subarray(0, 8));
  return bytes.readBigUInt64BE();
};

const bench = new KernelBench();

/** What kernels make of plain values; tests compare it with what plain code makes of the same. */
export function inKernel<T>(run: (bench: KernelBench) => T): T {
  bench.clear();
  return run(bench);
}

/** Keys of all bytes, some of which share beginnings and are longer than what a slot holds. */
export const someKey: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom("", "", "abcdefg", "abcdefgh", "abcdefghabcdefgh", "x".repeat(40)),
    fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.array(fc.constantFrom(0, 1, 0x61, 0xff), { maxLength: 10 }),
    ),
  )
  .map(([start, end]) => Uint8Array.of(...Buffer.from(start), ...end));

/** Bytes that are mostly made of these characters. */
export const textOf = (characters: string, maxLength: number): fc.Arbitrary<Uint8Array> =>
  fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...Buffer.from(characters, "latin1")) },
        { weight: 1, arbitrary: fc.nat(255) },
      ),
      { maxLength },
    )
    .map((bytes) => Uint8Array.from(bytes));
