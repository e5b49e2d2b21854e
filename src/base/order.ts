import { assert } from "./assert.ts";

export type Comparator<T> = (x: T, y: T) => number;

/**
 * Smallest key first, ties by `then`. Keys are compared, never subtracted: Infinity - Infinity is
 * NaN, and a NaN comparator sorts by accident.
 *
 *     tasks.sort(descending(timeLeft, ascending(id)))
 */
export function ascending<T>(key: (item: T) => number, then?: Comparator<T>): Comparator<T> {
  return (x, y) => {
    const a = key(x);
    const b = key(y);
    if (a < b) return -1;
    if (a > b) return 1;
    assert(a === b, "a sort key is NaN");
    return then === undefined ? 0 : then(x, y);
  };
}

/** Largest key first, ties by `then`. */
export function descending<T>(key: (item: T) => number, then?: Comparator<T>): Comparator<T> {
  const falling = ascending(key);
  return (x, y) => {
    const sign = falling(y, x);
    return sign === 0 && then !== undefined ? then(x, y) : sign;
  };
}
