import { GroupTable } from "../kernel/groups.ts";
import { CELL_BYTES, MISSING } from "../kernel/kernel.ts";
import { Workspace } from "../memory/workspace.ts";
import { ROOM } from "./csv-columns.ts";
import { NumberPairs } from "./number-pairs.ts";

/**
 * The keys found by a lookup, at most `ROOM`: each one's place in the lookup, from 0, and its
 * value.
 */
export class Found {
  readonly rows = new Uint32Array(ROOM);
  readonly values = new Float64Array(ROOM);
}

/** A table from numbers to numbers. Each key has one value. */
export interface NumberTable {
  /** Looks up the first `count` keys. Returns how many of them the table has. */
  find(keys: Float64Array, count: number, found: Found): number;
}

/** The range of the keys may be this many times as large as their number. */
const SPARSENESS_MAX = 4;
/** The bytes for each possible key: its value, and whether the table has the key. */
const PLACE_BYTES = 9;

/** Keys that are whole numbers from 0, with few gaps: the key is the index of its value. */
class DenseTable implements NumberTable {
  readonly #values: Float64Array;
  /** 1 for each key that the table has, else 0. */
  readonly #isThere: Uint8Array;

  private constructor(size: number) {
    this.#values = new Float64Array(size).fill(Number.NaN);
    this.#isThere = new Uint8Array(size);
  }

  /**
   * `other` if the keys are of another kind, or the table takes more bytes. No table if a key
   * occurs twice.
   */
  static tryOf(
    { keys, values, count }: NumberPairs,
    bytesMax: number,
  ):
    | { readonly kind: "other" }
    | { readonly kind: "dense"; readonly table: DenseTable | undefined } {
    const most = Math.min(SPARSENESS_MAX * count, bytesMax / PLACE_BYTES);
    let size = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i] ?? -1;
      if (!isIndex(key, most)) return { kind: "other" };
      size = Math.max(size, key + 1);
    }
    const table = new DenseTable(size);
    for (let i = 0; i < count; i++) {
      const key = keys[i] ?? 0;
      if (table.#isThere[key] === 1) return { kind: "dense", table: undefined };
      table.#isThere[key] = 1;
      table.#values[key] = values[i] ?? 0;
    }
    return { kind: "dense", table };
  }

  find(keys: Float64Array, count: number, { rows, values }: Found): number {
    const all = this.#values;
    let found = 0;
    for (let row = 0; row < count; row++) {
      const key = keys[row] ?? -1;
      const index = key >>> 0;
      if (index !== key || index >= all.length || (index === 0 && 1 / key < 0)) continue;
      const value = all[index] ?? 0;
      // A missing key's value is NaN, so the second lookup is rarely needed.
      if (Number.isNaN(value) && this.#isThere[index] === 0) continue;
      rows[found] = row;
      values[found++] = value;
    }
    return found;
  }
}

/** -0 is a different key from 0. */
const isIndex = (key: number, size: number): boolean =>
  key >= 0 && key < size && Math.trunc(key) === key && (key > 0 || 1 / key > 0);

/** Any keys, in a memory of the kernels. */
class HashedTable implements NumberTable {
  readonly #space: Workspace;
  readonly #groups: GroupTable;
  readonly #cells: number;
  readonly #ids: number;
  /** Indexed by the number of the key. */
  readonly #values: Float64Array;

  private constructor(values: Float64Array, bytesMax: number) {
    this.#values = values;
    this.#space = new Workspace(bytesMax);
    this.#cells = this.#space.take(ROOM * CELL_BYTES);
    this.#ids = this.#space.take(ROOM * 4);
    this.#groups = GroupTable.ofNumbers(this.#space.kernel, this.#space.memory, 0);
  }

  /** Undefined if a key occurs twice, or there is no room. */
  static of({ keys, values, count }: NumberPairs, bytesMax: number): HashedTable | undefined {
    const table = new HashedTable(values, bytesMax);
    const groups = table.#groups;
    for (let from = 0; from < count; from += ROOM) {
      const size = Math.min(ROOM, count - from);
      table.#put(keys.subarray(from, from + size));
      const grouped = groups.group(table.#cells, size, table.#ids);
      // A key's number is the index of its value only if no key occurs twice.
      if (grouped < size || groups.size < from + size) return undefined;
    }
    return table;
  }

  find(keys: Float64Array, count: number, { rows, values }: Found): number {
    this.#put(keys.subarray(0, count));
    this.#groups.find(this.#cells, count, this.#ids);
    const { buffer } = this.#space.memory.bytes;
    const ids = new Uint32Array(buffer, this.#ids, count);
    const all = this.#values;
    let found = 0;
    for (let row = 0; row < count; row++) {
      const id = ids[row] ?? MISSING;
      if (id === MISSING) continue;
      rows[found] = row;
      values[found++] = all[id] ?? 0;
    }
    return found;
  }

  #put(keys: Float64Array): void {
    const { memory, kernel } = this.#space;
    new Float64Array(memory.bytes.buffer, this.#cells, keys.length).set(keys);
    kernel.numberKeys(this.#cells, keys.length);
  }
}

/**
 * Undefined if a key occurs twice, or there is no room. While the table is built, the pairs take as
 * much memory again, and are garbage afterwards.
 */
export function numberTable(pairs: NumberPairs, bytesMax: number): NumberTable | undefined {
  const dense = DenseTable.tryOf(pairs, bytesMax);
  return dense.kind === "other" ? HashedTable.of(pairs, bytesMax) : dense.table;
}

/** The last table of this thread: consecutive tasks use the same one. */
let last: { readonly of: string; readonly table: NumberTable | undefined } | undefined;

/** The table of a dataset, known by the paths of its parts, which no other dataset has. */
export function numberTableOf(files: readonly string[], bytesMax: number): NumberTable | undefined {
  const of = [bytesMax, ...files].join("\n");
  if (last?.of !== of) {
    last = undefined;
    const pairs = NumberPairs.read(files, bytesMax);
    last = { of, table: pairs && numberTable(pairs, bytesMax) };
  }
  return last.table;
}

/** Call this when a task without tables begins: frees the memory. */
export function forgetNumberTable(): void {
  last = undefined;
}
