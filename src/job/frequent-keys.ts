import { assert } from "../base/assert.ts";
import type { Key } from "./key.ts";
import { KeyMap } from "./key-map.ts";

/** The state of a sketch, as plain data: a value that travels. */
export interface FrequentKeysData {
  readonly capacity: number;
  /** The number of keys added. */
  readonly added: number;
  /** The most by which a count may be too low. */
  readonly missed: number;
  readonly counts: readonly (readonly [Key, number])[];
}

/**
 * Finds frequent keys in bounded memory: the sketch of Misra and Gries (Finding repeated elements,
 * 1982), merged as by Agarwal et al. (Mergeable summaries, PODS 2012, section 2). Of n keys that
 * were added to sketches of `capacity`, however these were merged, the sketch contains each key
 * that occurs more than n / (capacity + 1) times. No count is too high, or too low by more than
 * that. The same keys in the same order give the same sketch.
 */
export class FrequentKeys {
  readonly #capacity: number;
  readonly #counts = new KeyMap<{ count: number }>();
  #added = 0;
  #missed = 0;

  constructor(capacity: number) {
    assert(capacity >= 1, "a sketch holds a key");
    this.#capacity = capacity;
  }

  /** The number of keys added. */
  get added(): number {
    return this.#added;
  }

  add(key: Key): void {
    this.#added++;
    this.#count(key, 1);
  }

  /** Merges another sketch, as if all its keys had been added here. */
  merge({ added, missed, counts }: FrequentKeysData): void {
    this.#added += added;
    this.#missed += missed;
    for (const [key, count] of counts) this.#count(key, count);
  }

  /** All keys that may occur more than `times`. */
  above(times: number): readonly Key[] {
    const found: Key[] = [];
    for (const [key, { count }] of this.#counts.entries()) {
      if (count + this.#missed > times) found.push(key);
    }
    return found;
  }

  get data(): FrequentKeysData {
    const counts = Array.from(this.#counts.entries(), ([key, { count }]) => [key, count] as const);
    return { capacity: this.#capacity, added: this.#added, missed: this.#missed, counts };
  }

  #count(key: Key, by: number): void {
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += by;
      return;
    }
    const left = this.#counts.size < this.#capacity ? by : by - this.#lower(by);
    if (left > 0) this.#counts.getOrMake(key, () => ({ count: left }));
  }

  /**
   * Subtracts the least count, or `most` if that is less, from all counts, and drops the keys left
   * with 0. COST: O(capacity), amortised by the counts that it takes back.
   */
  #lower(most: number): number {
    let by = most;
    for (const [, { count }] of this.#counts.entries()) by = Math.min(by, count);
    for (const [key, counted] of [...this.#counts.entries()]) {
      counted.count -= by;
      if (counted.count === 0) this.#counts.delete(key);
    }
    this.#missed += by;
    return by;
  }
}
