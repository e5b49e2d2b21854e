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

/** Names with their numbers as numbers: n2 before n10. n02 and n2 are ordered as texts. */
export function byName(x: string, y: string): number {
  const [a, b] = [x.match(PARTS) ?? [], y.match(PARTS) ?? []];
  for (const [n, part] of a.entries()) {
    const other = b[n];
    if (other === undefined) return 1;
    const sign = byPart(part, other);
    if (sign !== 0) return sign;
  }
  return a.length < b.length ? -1 : byText(x, y);
}

const PARTS = /\d+|\D+/g;

function byPart(a: string, b: string): number {
  const isNumber = /^\d/.test(a) && /^\d/.test(b);
  return isNumber ? byNumber(a.replace(/^0+/, ""), b.replace(/^0+/, "")) : byText(a, b);
}

/** Of digits without leading zeros, however many they are. */
const byNumber = (a: string, b: string): number => a.length - b.length || byText(a, b);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
