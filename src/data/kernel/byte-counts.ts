import { byteKeys } from "./byte-keys.ts";
import { GrowingTable, type SortedEntries, type TableLayout } from "./growing-table.ts";
import { HOT_BYTES, type Kernel } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";

/**
 * How often each word occurs, in the kernel's memory. When it is full, what it holds is to be
 * sorted and written, and it starts anew.
 */
export class ByteCounts {
  readonly #kernel: Kernel;
  readonly #table: GrowingTable;

  constructor(kernel: Kernel, memory: KernelMemory, seed: number) {
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

  /** The words from `at` to `end`; where to go on, before `end` if the table is full. */
  addWords(at: number, end: number): number {
    for (let from = at; ; ) {
      from = this.#kernel.countWords(this.#table.table, from, end);
      if (from >= end || !this.#table.tryGrow()) return from;
    }
  }

  /**
   * Entries of all it holds, each with its slot (`VALUES.slot`), by partition of plain keys, then
   * by key; without `partitions`, by key. Until it is cleared.
   */
  sorted(partitions?: number): SortedEntries {
    return this.#table.sorted(partitions);
  }

  /** The same by partition, and within one in no order. */
  parted(partitions: number): SortedEntries {
    return this.#table.parted(partitions);
  }

  /** Forgets all it holds. */
  clear(): void {
    this.#table.clear();
  }
}
