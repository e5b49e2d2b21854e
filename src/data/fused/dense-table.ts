import type { NumberPairs } from "./number-pairs.ts";
import type { Found, NumberTable } from "./number-table.ts";

/** Keys may be so many times as far apart as they would be without gaps. */
const SPARSENESS_MAX = 4;
/** Of each key that there may be: its value, and whether it is there. */
const PLACE_BYTES = 9;

/** Keys that are whole numbers from 0, with few gaps: each value stands where its key says. */
export class DenseTable implements NumberTable {
  readonly #values: Float64Array;
  /** Whether there is a key: 1, or 0. */
  readonly #isThere: Uint8Array;

  private constructor(size: number) {
    this.#values = new Float64Array(size).fill(Number.NaN);
    this.#isThere = new Uint8Array(size);
  }

  /** `other`: the keys are not such, or it takes more bytes. No table: one is there twice. */
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
      // What is not there is not a number, and one look tells of both.
      if (Number.isNaN(value) && this.#isThere[index] === 0) continue;
      rows[found] = row;
      values[found++] = value;
    }
    return found;
  }
}

/** -0 is another key than 0. */
const isIndex = (key: number, size: number): boolean =>
  key >= 0 && key < size && Math.trunc(key) === key && (key > 0 || 1 / key > 0);
