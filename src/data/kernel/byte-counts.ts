import { byteKeys, HASH_SEED } from "./byte-keys.ts";
import { GrowingTable, type SortedEntries, type TableLayout } from "./growing-table.ts";
import { HOT_BYTES, type Kernel } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";

/**
 * Counts how often each word occurs, in the kernel's memory. When the table is full, its contents
 * must be sorted and written, and the table cleared.
 */
export class ByteCounts {
  readonly #kernel: Kernel;
  readonly #table: GrowingTable;

  constructor(kernel: Kernel, memory: KernelMemory, seed = HASH_SEED) {
    this.#kernel = kernel;
    const keys = byteKeys(kernel, memory, seed, "plain", HOT_BYTES);
    const layout: TableLayout = {
      ...keys,
      init(table, slots) {
        keys.init(table, slots);
        kernel.countsInit(table);
      },
      move: kernel.countsMove,
      entries: kernel.countsEntries,
    };
    this.#table = new GrowingTable(kernel, memory, layout, 0);
  }

  get size(): number {
    return this.#table.size;
  }

  /**
   * Counts the words from `at` to `end`; returns where to continue, before `end` if the table is
   * full.
   */
  addWords(at: number, end: number): number {
    for (let from = at; ; ) {
      from = this.#kernel.countWords(this.#table.table, from, end);
      if (from >= end || !this.#table.tryGrow()) return from;
    }
  }

  /**
   * Entries of all words, each with its slot (`VALUES.slot`), by partition of plain keys, then by
   * key; without `partitions`, by key. Valid until `clear`.
   */
  sorted(partitions?: number): SortedEntries {
    return this.#table.sorted(partitions);
  }

  /** The same entries by partition, and in no order within one. */
  parted(partitions: number): SortedEntries {
    return this.#table.parted(partitions);
  }

  /** Empties the table. */
  clear(): void {
    this.#table.clear();
  }
}
