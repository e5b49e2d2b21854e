/**
 * Small numbers by their keys: a counting sort, since a map of many short arrays costs more to make
 * than to read.
 */
export class Buckets {
  /** By key: where its values begin; the last number is where all end. */
  readonly #starts: Int32Array;
  readonly #values: Int32Array;

  /** The value at an index has the key at that index: a small whole number from 0. */
  constructor(values: readonly number[], keys: readonly number[]) {
    let most = -1;
    for (const key of keys) if (key > most) most = key;
    const starts = new Int32Array(most + 2);
    for (const key of keys) starts[key + 1]! += 1;
    for (let key = 0; key <= most; key += 1) starts[key + 1]! += starts[key]!;
    const sorted = new Int32Array(values.length);
    const next = starts.slice();
    for (let i = 0; i < values.length; i += 1) sorted[next[keys[i]!]!++] = values[i]!;
    this.#starts = starts;
    this.#values = sorted;
  }

  /** The values with this key, in their order. */
  under(key: number): Int32Array {
    return this.#values.subarray(this.#starts[key] ?? 0, this.#starts[key + 1] ?? 0);
  }
}
