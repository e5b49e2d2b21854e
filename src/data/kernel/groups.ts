import { type ByteKeys, byteKeys, HASH_SEED } from "./byte-keys.ts";
import { GrowingTable, type SortedEntries, type TableLayout } from "./growing-table.ts";
import { CELL_BYTES, HEADER_BYTES, type Kernel, NUMBER_SLOT_BYTES } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";

/** Groups the keys whose cells are at `cells`, or looks them up. */
interface Lookup {
  group(table: number, cells: number, count: number, ids: number): number;
  find(table: number, cells: number, count: number, ids: number): void;
}

/**
 * Keys, each with its id: the number of keys before it. Each key has `stride` bytes of
 * accumulators, to which `countIds` and the like add. When the table is full, its contents must be
 * sorted and written, and the table cleared.
 */
export class GroupTable {
  readonly #table: GrowingTable;
  readonly #lookup: Lookup;

  private constructor(table: GrowingTable, lookup: Lookup) {
    this.#table = table;
    this.#lookup = lookup;
  }

  /** A table of byte strings. A cell: u32 place, u32 bytes. */
  static ofBytes(
    kernel: Kernel,
    memory: KernelMemory,
    options: { readonly keys: ByteKeys; readonly seed?: number; readonly stride: number },
  ): GroupTable {
    const { keys, seed = HASH_SEED, stride } = options;
    const layout: TableLayout = {
      ...byteKeys(kernel, memory, seed, keys),
      entries: kernel.groupEntries,
    };
    const table = new GrowingTable(kernel, memory, layout, stride);
    return new GroupTable(table, { group: kernel.groupKeys, find: kernel.findKeys });
  }

  /** A table of numbers. A cell: u64, as `numberKeys` makes them. */
  static ofNumbers(kernel: Kernel, memory: KernelMemory, stride: number): GroupTable {
    const layout: TableLayout = {
      fullest: 1 / 2,
      bytes: (slots) => HEADER_BYTES + slots * NUMBER_SLOT_BYTES,
      init(at, slots) {
        const first = at + HEADER_BYTES;
        memory.bytes.fill(0, first, first + slots * NUMBER_SLOT_BYTES);
        kernel.numbersInit(at, first, slots);
      },
      move: kernel.numbersMove,
      size: kernel.numbersSize,
      entries: kernel.numberEntries,
      partition: kernel.partitionNumbers,
    };
    const table = new GrowingTable(kernel, memory, layout, stride);
    return new GroupTable(table, { group: kernel.groupNumbers, find: kernel.findNumbers });
  }

  get size(): number {
    return this.#table.size;
  }

  /** The place of the accumulators of id 0; they move when a new key is grouped. */
  get accumulators(): number {
    return this.#table.accumulators;
  }

  /**
   * Writes the u32 ids of `count` keys. Returns the number of ids written; fewer than `count` if
   * the table is full.
   */
  group(cells: number, count: number, ids: number): number {
    for (let done = 0; ; ) {
      const at = cells + done * CELL_BYTES;
      done += this.#lookup.group(this.#table.table, at, count - done, ids + done * 4);
      if (done >= count || !this.#table.tryGrow()) return done;
    }
  }

  /** Writes the ids of keys that the table has, and `MISSING` for others. */
  find(cells: number, count: number, ids: number): void {
    this.#lookup.find(this.#table.table, cells, count, ids);
  }

  /**
   * Entries of all keys, each with its id, by partition, then by key; without `partitions`, by key.
   * Valid until `clear`.
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
