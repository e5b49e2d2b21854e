import { InputError } from "../base/input-error.ts";
import type { Fold } from "./fold.ts";
import type { Key } from "./key.ts";
import { compareKeys } from "./key-order.ts";

/**
 * The greatest `k` values in the order of keys, the greatest first. Tuples such as `[hits, page]`
 * rank by their first element.
 */
export function topK<V extends Key = number>(k: number): Fold<V, V[], readonly V[]> {
  if (!Number.isInteger(k) || k < 1) {
    throw new InputError("bad-job", "topK", `expected a whole number from 1, found ${k}`);
  }
  const add = (so: V[], value: V): V[] => {
    const last = so[k - 1];
    if (last !== undefined && compareKeys(value, last) <= 0) return so;
    so.splice(
      placeOf(so, (one) => compareKeys(one, value) > 0),
      0,
      value,
    );
    if (so.length > k) so.pop();
    return so;
  };
  return {
    name: `top-${k}`,
    init: () => [],
    add,
    merge: (left, right) => right.reduce(add, left),
    done: (so) => so,
    ofNothing: () => [],
  };
}

/** All values in the order of keys, whatever the order in which they came. */
export function collect<V extends Key>(): Fold<V, V[], readonly V[]> {
  const add = (so: V[], value: V): V[] => {
    so.push(value);
    return so;
  };
  return {
    name: "collect",
    keepsAll: true,
    init: () => [],
    add,
    merge: (left, right) => right.reduce(add, left),
    done: (so) => [...so].sort(compareKeys),
    ofNothing: () => [],
  };
}

/** The number of items that come before; those items must be at the beginning of the row. */
export function placeOf<T>(row: readonly T[], isBefore: (one: T) => boolean): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = row[middle];
    if (one !== undefined && isBefore(one)) low = middle + 1;
    else high = middle;
  }
  return low;
}
