import { assert, defined } from "../../base/assert.ts";
import { COUNTS_BYTES, ENTRY_BYTES, type Kernel } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";

/** A table that fits a core's cache, and so never costs more than what is put into it. */
const SLOTS_FIRST = 1 << 15;
/** Where there is not even room for that. */
const SLOTS_MIN = 1 << 10;
/** A table that must grow grows so much, as there is room: every growth moves all of it. */
const GROWTHS = [4, 2];
/** From so many slots on it grows by as little as it can: the larger, the further to each slot. */
const SLOTS_LARGE = 1 << 18;

/** Sorted entries in the kernel's memory: see `assembly/entries.ts`. */
export interface SortedEntries {
  readonly at: number;
  readonly count: number;
}

/** What a table of some kind consists of. */
export interface TableLayout {
  bytes(slots: number): number;
  /** Of slots, how many may be full. */
  readonly fullest: number;
  /** `table`: where its bytes are. */
  init(table: number, slots: number): void;
  /** `to` is empty. */
  move(from: number, to: number): void;
  size(table: number): number;
  entries(table: number, into: number): number;
  partition(entries: number, count: number, partitions: number): void;
}

/**
 * A table in the kernel's memory that grows as long as there is room for all of it and for sorting
 * what it holds. It takes what it needs after what was taken before it was made, so nothing else
 * may be taken while it can grow.
 */
export class GrowingTable {
  readonly #kernel: Kernel;
  readonly #memory: KernelMemory;
  readonly #layout: TableLayout;
  readonly #stride: number;
  /** Where its own part of the memory begins. */
  readonly #from: number;
  #table = 0;
  #slots = 0;
  #accumulators = 0;

  /** `stride`: bytes for each key that grow with the table, zeros at first. */
  constructor(kernel: Kernel, memory: KernelMemory, layout: TableLayout, stride: number) {
    this.#kernel = kernel;
    this.#memory = memory;
    this.#layout = layout;
    this.#stride = stride;
    this.#from = memory.used;
    this.clear();
  }

  /** Where it is; it moves when it grows. */
  get table(): number {
    return this.#table;
  }

  get accumulators(): number {
    return this.#accumulators;
  }

  get size(): number {
    return this.#layout.size(this.#table);
  }

  /** False: there is no room. */
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

  /** All it holds, by partition, then by key; without `partitions`, by key. Until it is cleared. */
  sorted(partitions?: number): SortedEntries {
    return this.#entries(this.#kernel.sortEntries, partitions);
  }

  /** All it holds, by partition, and within one in no order. Until it is cleared. */
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

  /** Forgets all it holds. */
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
    // And one more: it is looked whether there is room before a key is put, not after.
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

/** What aligning all that is taken may cost. */
const PADDING = 512;
