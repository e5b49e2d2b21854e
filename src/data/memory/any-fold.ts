import type { Fold, Key } from "../../job/index.ts";
import type { Order } from "../bytes/run-format.ts";
import type { RunWriter } from "../bytes/run-writer.ts";
import { GroupTable } from "../kernel/groups.ts";
import { CELL_BYTES } from "../kernel/kernel.ts";
import { FoldEntries } from "./fold-entries.ts";
import { putKey } from "./key-writer.ts";
import type { PairQuery, Pairs } from "./pair-arena.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The share of the table's memory that accumulators may take, by an estimate that is rather low.
 */
const ON_HEAP_SHARE = 0.25;
/** The least bytes of an accumulator on the heap, about. */
const ACCUMULATOR_BYTES = 64;
const KEY_BYTES = 64 * 1024;

export interface AnyFoldQuery extends PairQuery {
  readonly fold: Fold<unknown, unknown, unknown>;
  /**
   * Where pairs go once a key is too long for the table; the table's contents have been spilled.
   */
  other(): Pairs;
}

/**
 * Keeps one accumulator per key: the keys in the kernels' memory, the accumulators as values of the
 * user's. The growth of accumulators is estimated from the values added to them.
 */
export class FoldTable implements Pairs {
  readonly #query: AnyFoldQuery;
  readonly #space: Workspace;
  readonly #groups: GroupTable;
  readonly #key: number;
  readonly #cell: number;
  readonly #id: number;
  #accumulators: unknown[] = [];
  #partitions: number[] = [];
  #bytes = 0;
  #other: Pairs | undefined;

  constructor(query: AnyFoldQuery) {
    this.#query = query;
    const { space } = query;
    this.#space = space;
    this.#key = space.take(KEY_BYTES);
    this.#cell = space.take(CELL_BYTES);
    this.#id = space.take(4);
    const options = { keys: "encoded", stride: 0 } as const;
    this.#groups = GroupTable.ofBytes(space.kernel, space.memory, options);
  }

  get isEmpty(): boolean {
    return this.#other?.isEmpty ?? this.#accumulators.length === 0;
  }

  add(key: Key, value: unknown): void {
    const id = this.#other === undefined ? this.#idOf(key) : undefined;
    if (id === undefined) {
      this.#addOther(key, value);
      return;
    }
    const { fold, partition, bytesMax, spill } = this.#query;
    const accumulators = this.#accumulators;
    if (id === accumulators.length) {
      accumulators.push(fold.add(fold.init(), value));
      if (partition !== undefined) this.#partitions.push(partition(key));
      this.#bytes += ACCUMULATOR_BYTES;
    } else {
      accumulators[id] = fold.add(accumulators[id], value);
    }
    this.#bytes += heapBytes(value);
    if (this.#bytes > bytesMax * ON_HEAP_SHARE) spill();
  }

  flush(): void {
    this.#other?.flush();
  }

  drainTo(writer: RunWriter, order: Order): void {
    if (this.#other !== undefined) {
      this.#other.drainTo(writer, order);
      return;
    }
    const { partitions, partition } = this.#query;
    const own = partition === undefined ? undefined : this.#partitions;
    const accumulators = this.#accumulators;
    const entries = this.#groups.sorted(
      own === undefined && partitions > 1 ? partitions : undefined,
    );
    new FoldEntries(this.#space, entries, accumulators).writeTo(writer, partitions, own);
    this.#groups.clear();
    this.#accumulators = [];
    this.#partitions = [];
    this.#bytes = 0;
  }

  /** Undefined if the key is too long. */
  #idOf(key: Key): number | undefined {
    const { memory } = this.#space;
    const end = putKey(memory.bytes, this.#key, this.#key + KEY_BYTES, key);
    if (end < 0) return undefined;
    const { view } = memory;
    view.setUint32(this.#cell, this.#key, true);
    view.setUint32(this.#cell + 4, end - this.#key, true);
    if (this.#groups.group(this.#cell, 1, this.#id) === 0) {
      if (this.#groups.size === 0) return undefined;
      this.#query.spill();
      if (this.#groups.group(this.#cell, 1, this.#id) === 0) return undefined;
    }
    return memory.view.getUint32(this.#id, true);
  }

  #addOther(key: Key, value: unknown): void {
    if (this.#other === undefined) {
      if (!this.isEmpty) this.#query.spill();
      this.#other = this.#query.other();
    }
    this.#other.add(key, value);
  }
}

/** The bytes of a value on the heap, about. */
function heapBytes(value: unknown): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  if (value instanceof Uint8Array) return 96 + value.length;
  let bytes = 32;
  for (const one of Object.values(value)) bytes += heapBytes(one);
  return bytes;
}
