import { defined, never } from "../../base/assert.ts";
import type { Fold, Key } from "../../job/index.ts";
import { readKey } from "../../job/key-bytes.ts";
import type { Order } from "../bytes/run-format.ts";
import type { RunWriter } from "../bytes/run-writer.ts";
import { GroupTable } from "../kernel/groups.ts";
import { CELL_BYTES, ENTRY_BYTES, KEYS, type Kernel, VALUES } from "../kernel/kernel.ts";
import { type Entries, payloadOf, setPartition } from "./entries.ts";
import { putKey } from "./key-writer.ts";
import type { PairArena, PairQuery, Pairs } from "./pair-arena.ts";
import { copyRecords, type PairShape, putAll, putTable } from "./put-run.ts";
import type { Workspace } from "./workspace.ts";

/** The folds of numbers whose accumulators the kernels know. */
export type NumberFoldKind = NonNullable<Fold<unknown, unknown, unknown>["numbers"]>;

/** Bytes of an accumulator: see `assembly/accumulate.ts`. */
const STRIDE: Readonly<Record<NumberFoldKind, number>> = {
  count: 8,
  sum: 16,
  mean: 24,
  min: 16,
  max: 16,
};

export const VALUES_OF: Readonly<Record<NumberFoldKind, number>> = {
  count: VALUES.count,
  sum: VALUES.sum,
  mean: VALUES.mean,
  min: VALUES.least,
  max: VALUES.greatest,
};

/** In the accumulator of a mean, the count follows the sum. */
const COUNT_OF_MEAN = STRIDE.sum;

export const strideOf = (kind: NumberFoldKind): number => STRIDE[kind];

/** Values, and the ids of the keys to whose accumulators they are added. */
interface Accumulated {
  readonly base: number;
  readonly ids: number;
  readonly values: number;
  readonly count: number;
}

/** The number of values that were added: fewer than `count` if a sum would become inexact. */
export function accumulate(
  kernel: Kernel,
  kind: NumberFoldKind,
  { base, ids, values, count }: Accumulated,
): number {
  const stride = STRIDE[kind];
  switch (kind) {
    case "count":
      kernel.countIds(base, stride, ids, count);
      return count;
    case "min":
      kernel.leastValues(base, stride, ids, values, count);
      return count;
    case "max":
      kernel.greatestValues(base, stride, ids, values, count);
      return count;
    case "sum":
      return kernel.sumValues(base, stride, ids, values, count);
    case "mean": {
      const added = kernel.sumValues(base, stride, ids, values, count);
      kernel.countIds(base + COUNT_OF_MEAN, stride, ids, added);
      return added;
    }
    default:
      return never(kind);
  }
}

/** Sums that become inexact after fewer additions are left to the plain fold. */
const ADDS_PER_SPILL_MIN = 1 << 16;

/** After this many pairs the fold checks whether it has reduced their number. */
const SAMPLE = 1 << 17;
/** With more keys per pair than this, sorting the pairs is cheaper. */
const KEYS_PER_PAIR_MAX = 0.7;

/** Pairs that are looked up together, so that waits for memory overlap. */
const BATCH = 1024;
/** The most bytes of a batch's keys: they must fit into a block. */
const KEYS_BYTES = 32 * 1024;

export interface NumberFoldQuery extends PairQuery {
  readonly kind: NumberFoldKind;
  readonly fold: Fold<unknown, unknown, unknown>;
  /**
   * Where pairs go if the fold cannot continue, or is not worthwhile. The fold is empty when it
   * calls this.
   */
  other(): PairArena;
  /** Where pairs go if values are not numbers: they are folded as values. */
  values(): Pairs;
}

/** Keeps one accumulator per key, in the kernels' memory. */
export class NumberFold implements Pairs {
  readonly #query: NumberFoldQuery;
  readonly #space: Workspace;
  readonly #groups: GroupTable;
  readonly #keys: number;
  readonly #cells: number;
  readonly #ids: number;
  readonly #values: number;
  readonly #batch: number;
  /** Views of the memory; recreated when the memory grows. */
  #bytes: Uint8Array<ArrayBuffer>;
  #cellView = new Uint32Array(0);
  #valueView = new Float64Array(0);
  #keyAt: number;
  #count = 0;
  #addsSinceSpill = 0;
  /** Pairs until the fold checks whether there are fewer keys. */
  #sampleLeft = SAMPLE;
  /** The partition of each key, if the user chooses it. */
  readonly #partitions: number[] = [];
  #other: Pairs | undefined;

  constructor(query: NumberFoldQuery) {
    this.#query = query;
    const { space } = query;
    this.#space = space;
    this.#keys = space.take(KEYS_BYTES);
    this.#cells = space.take(BATCH * CELL_BYTES);
    this.#ids = space.take(BATCH * 4);
    this.#values = space.take(BATCH * 8);
    this.#batch = space.take(BATCH * ENTRY_BYTES);
    const { kernel, memory } = space;
    const options = { keys: "encoded", stride: STRIDE[query.kind] } as const;
    this.#groups = GroupTable.ofBytes(kernel, memory, options);
    this.#bytes = memory.bytes;
    this.#keyAt = this.#keys;
    this.#look();
  }

  get isEmpty(): boolean {
    return this.#other?.isEmpty ?? (this.#count === 0 && this.#groups.size === 0);
  }

  add(key: Key, value: unknown): void {
    if (this.#other !== undefined) {
      this.#other.add(key, value);
      return;
    }
    if (this.#query.kind !== "count" && typeof value !== "number") {
      this.#addOther(key, value, this.#query.values);
      return;
    }
    const end = putKey(this.#bytes, this.#keyAt, this.#keys + KEYS_BYTES, key);
    if (end < 0) {
      this.#makeRoom(key, value);
      return;
    }
    const i = this.#count++;
    this.#cellView[2 * i] = this.#keyAt;
    this.#cellView[2 * i + 1] = end - this.#keyAt;
    if (typeof value === "number") this.#valueView[i] = value;
    this.#keyAt = end;
    if (this.#count === BATCH) this.flush();
  }

  flush(): void {
    const count = this.#count;
    const { kind } = this.#query;
    const { kernel } = this.#space;
    if (kind === "min" || kind === "max") kernel.numberKeys(this.#values, count);
    for (let done = 0; done < count && this.#other === undefined; ) {
      const isFresh = this.#groups.size === 0;
      const some = this.#groups.group(
        this.#cells + done * CELL_BYTES,
        count - done,
        this.#ids + done * 4,
      );
      if (this.#query.partition !== undefined) this.#partition(done, some);
      const added = this.#accumulate(done, some);
      done += added;
      this.#addsSinceSpill += added;
      if (done === count) break;
      // There is no room, or the next sum would not be exact.
      const isTooOften = added < some && this.#addsSinceSpill < ADDS_PER_SPILL_MIN;
      this.#query.spill();
      this.#addsSinceSpill = 0;
      if (isTooOften || (some === 0 && isFresh)) this.#handOver(done);
    }
    this.#count = 0;
    this.#keyAt = this.#keys;
    this.#look();
    this.#sample(count);
    this.#other?.flush();
  }

  drainTo(writer: RunWriter, order: Order): void {
    if (this.#other !== undefined) {
      this.#other.drainTo(writer, order);
      return;
    }
    const { partitions, partition } = this.#query;
    const space = this.#space;
    const table = this.#groups;
    const shape = this.#shape;
    if (partition === undefined) putTable({ space, table, partitions, order, shape, writer });
    else this.#putOwn(table.sorted(), writer);
    this.#clear();
  }

  /** The shape of the table's entries. */
  get #shape(): PairShape {
    const { kind } = this.#query;
    const base = this.#groups.accumulators;
    return { keys: KEYS.encoded, values: VALUES_OF[kind], base, stride: STRIDE[kind] };
  }

  #clear(): void {
    this.#groups.clear();
    this.#partitions.length = 0;
    this.#look();
  }

  #look(): void {
    const { bytes } = this.#space.memory;
    this.#bytes = bytes;
    this.#cellView = new Uint32Array(bytes.buffer, this.#cells, 2 * BATCH);
    this.#valueView = new Float64Array(bytes.buffer, this.#values, BATCH);
  }

  /** Adds pairs; returns how many from `from` on were added. */
  #accumulate(from: number, count: number): number {
    const ids = this.#ids + from * 4;
    const values = this.#values + from * 8;
    const { accumulators: base } = this.#groups;
    return accumulate(this.#space.kernel, this.#query.kind, { base, ids, values, count });
  }

  /** The batch has no more room for keys, or the key is longer than the whole batch. */
  #makeRoom(key: Key, value: unknown): void {
    if (this.#count === 0) {
      this.#addOther(key, value, this.#query.other);
    } else {
      this.flush();
      this.add(key, value);
    }
  }

  #addOther(key: Key, value: unknown, other: () => Pairs): void {
    if (this.#query.kind === "sum" || this.#query.kind === "mean") {
      // Throws an error that describes the value's fault.
      const { fold } = this.#query;
      if (typeof value !== "number") fold.add(fold.init(), value);
    }
    this.flush();
    if (this.#other === undefined) {
      if (this.#groups.size > 0) this.#query.spill();
      this.#other = other();
    }
    this.#other.add(key, value);
  }

  /** Gives up if folding hardly reduces the pairs. */
  #sample(count: number): void {
    if (this.#sampleLeft <= 0 || this.#other !== undefined) return;
    this.#sampleLeft -= count;
    const { partition, partitions } = this.#query;
    const isWorthIt = this.#groups.size < KEYS_PER_PAIR_MAX * SAMPLE;
    if (this.#sampleLeft > 0 || isWorthIt || partition !== undefined || partitions === 0) return;
    const { at, count: keys } = this.#groups.sorted();
    const records = copyRecords(this.#space, { at, count: keys }, this.#shape);
    this.#clear();
    const other = this.#query.other();
    this.#other = other;
    for (const { bytes, count: some } of records) other.appendRecords(bytes, some);
  }

  /** Hands the pairs from `from` on to the next collector. */
  #handOver(from: number): void {
    const { bytes } = this.#space.memory;
    const cells = new Uint32Array(bytes.buffer, this.#cells, 2 * BATCH).slice();
    const values = new Float64Array(bytes.buffer, this.#values, BATCH).slice();
    const keys = bytes.slice(this.#keys, this.#keyAt);
    this.#other = this.#query.other();
    for (let i = from; i < this.#count; i++) {
      const at = (cells[2 * i] ?? 0) - this.#keys;
      const key = readKey({ bytes: keys, at, end: at + (cells[2 * i + 1] ?? 0) });
      this.#other.add(key, values[i]);
    }
  }

  #partition(from: number, count: number): void {
    const { partition } = this.#query;
    const { view, bytes } = this.#space.memory;
    for (let i = from; i < from + count; i++) {
      const id = view.getUint32(this.#ids + i * 4, true);
      if (id < this.#partitions.length) continue;
      const at = view.getUint32(this.#cells + i * CELL_BYTES, true);
      const end = at + view.getUint32(this.#cells + i * CELL_BYTES + 4, true);
      this.#partitions.push(defined(partition, "a partition")(readKey({ bytes, at, end })));
    }
  }

  /** Entries by key, written to partitions that the user chooses. */
  #putOwn({ at, count }: Entries, writer: RunWriter): void {
    const space = this.#space;
    for (let partition = 0; partition < this.#query.partitions; partition++) {
      let some = 0;
      for (let i = 0; i <= count; i++) {
        if (some === BATCH || (i === count && some > 0)) {
          putAll(space, { at: this.#batch, count: some }, this.#shape, writer);
          some = 0;
        }
        if (i === count) break;
        const entry = at + i * ENTRY_BYTES;
        if (this.#partitions[payloadOf(space, entry)] !== partition) continue;
        const to = this.#batch + some++ * ENTRY_BYTES;
        space.memory.bytes.copyWithin(to, entry, entry + ENTRY_BYTES);
        setPartition(space, to, partition);
      }
      writer.endPartition();
    }
  }
}
