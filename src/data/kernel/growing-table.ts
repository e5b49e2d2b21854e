import { assert, defined } from "../../base/assert.ts";
import { COUNTS_BYTES, ENTRY_BYTES, type Kernel } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";

/** A table of this size fits into a core's cache, so small inputs stay cheap. */
const SLOTS_FIRST = 1 << 15;
/** The size if there is no room even for `SLOTS_FIRST`. */
const SLOTS_MIN = 1 << 10;
/**
 * The factors by which a table grows, the first for which there is room: each growth moves all
 * slots.
 */
const GROWTHS = [4, 2];
/**
 * From this size on a table grows by the smallest factor: the larger the table, the slower each
 * slot.
 */
const SLOTS_LARGE = 1 << 18;

/** Sorted entries in the kernel's memory: see `assembly/entries.ts`. */
export interface SortedEntries {
  readonly at: number;
  readonly count: number;
}

/** The layout of a kind of table. */
export interface TableLayout {
  bytes(slots: number): number;
  /** The share of the slots that may be full. */
  readonly fullest: number;
  /** `table`: the place of the table's bytes. */
  init(table: number, slots: number): void;
  /** `to` is an empty table. */
  move(from: number, to: number): void;
  size(table: number): number;
  entries(table: number, into: number): number;
  partition(entries: number, count: number, partitions: number): void;
}

/**
 * A table in the kernel's memory. It grows while there is room for the table and for sorting its
 * contents. It takes memory after everything that was taken before it was made, so nothing else may
 * be taken while the table can grow.
 */
export class GrowingTable {
  readonly #kernel: Kernel;
  readonly #memory: KernelMemory;
  readonly #layout: TableLayout;
  readonly #stride: number;
  /** The place where the table's own part of the memory begins. */
  readonly #from: number;
  #table = 0;
  #slots = 0;
  #accumulators = 0;

  /** `stride`: further bytes for each key, which grow with the table and are zero at first. */
  constructor(kernel: Kernel, memory: KernelMemory, layout: TableLayout, stride: number) {
    this.#kernel = kernel;
    this.#memory = memory;
    this.#layout = layout;
    this.#stride = stride;
    this.#from = memory.used;
    this.clear();
  }

  /** The place of the table; it moves when it grows. */
  get table(): number {
    return this.#table;
  }

  get accumulators(): number {
    return this.#accumulators;
  }

  get size(): number {
    return this.#layout.size(this.#table);
  }

  /** Returns false if there is no room. */
  tryGrow(): boolean {
    const { size } = this;
    const from = this.#table;
    const accumulators = this.#accumulators;
    const slots = this.#slots;
    const growths = GROWTHS.filter((growth) => growth === 2 || slots < SLOTS_LARGE);
    if (!growths.some((growth) => this.#tryMake(slots * growth))) return false;
    this.#layout.move(from, this.#table);
    this.#memory.bytes.copyWithin(
      this.#accumulators,
      accumulators,
      accumulators + size * this.#stride,
    );
    return true;
  }

  /** All entries by partition, then by key; without `partitions`, by key. Valid until `clear`. */
  sorted(partitions?: number): SortedEntries {
    return this.#entries(this.#kernel.sortEntries, partitions);
  }

  /** All entries by partition, and in no order within one. Valid until `clear`. */
  parted(partitions: number): SortedEntries {
    return this.#entries(this.#kernel.partEntries, partitions > 1 ? partitions : undefined);
  }

  #entries(sort: Kernel["sortEntries"], partitions: number | undefined): SortedEntries {
    const { size } = this;
    const entries = defined(this.#memory.tryTake((size + 1) * ENTRY_BYTES), "room to sort");
    const scratch = defined(this.#memory.tryTake(size * ENTRY_BYTES), "room to sort");
    const counts = defined(this.#memory.tryTake(COUNTS_BYTES), "room to sort");
    const count = this.#layout.entries(this.#table, entries);
    if (partitions !== undefined) this.#layout.partition(entries, count, partitions);
    return { at: sort(entries, count, scratch, counts), count };
  }

  /** Empties the table. */
  clear(): void {
    this.#memory.release(this.#from);
    let slots = SLOTS_FIRST;
    while (!this.#tryMake(slots)) {
      slots /= 2;
      assert(slots >= SLOTS_MIN, "there is room for the least table");
    }
  }

  #tryMake(slots: number): boolean {
    const bytes = this.#layout.bytes(slots);
    // One more, since the check for room comes before a key is added, not after.
    const keys = Math.ceil(slots * this.#layout.fullest) + 1;
    const sorting = 2 * keys * ENTRY_BYTES + COUNTS_BYTES + PADDING;
    if (bytes + keys * this.#stride + sorting > this.#memory.free) return false;
    const table = defined(this.#memory.tryTake(bytes), "room for a table");
    this.#table = table;
    this.#slots = slots;
    this.#accumulators = defined(this.#memory.tryTake(keys * this.#stride), "its accumulators");
    const accumulatorsEnd = this.#accumulators + keys * this.#stride;
    this.#memory.bytes.fill(0, this.#accumulators, accumulatorsEnd);
    this.#layout.init(table, slots);
    return true;
  }
}

/** The most bytes lost to alignment. */
const PADDING = 512;
