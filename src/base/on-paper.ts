import { ascending, type Comparator, descending } from "./order.ts";

/** The cells of a millisecond: one is about a microsecond wide. */
const CELLS = 1_024;
/** From this many cells on, cells become wider: a double has few finer fractions to round. */
const CELLS_MAX = 4_398_046_511_104;
/** From here on, a double has no fractions at all. */
const WHOLE_FROM = 9_007_199_254_740_992;
/**
 * Where a cell begins, as a share of its width. The golden section is as far as possible from all
 * simple fractions, so the edge of a cell is not at a number that is likely, such as a mean of
 * whole milliseconds.
 */
const GOLDEN = 0.6180339887498949;

/**
 * A time in milliseconds, or a size in bytes, as it is ranked: what is equal on paper is equal
 * here, though the computed numbers may differ in their last bits.
 *
 * "Equal but for a rounding error" orders nothing: x may be as good as y and y as good as z while x
 * is clearly below z. Here each number counts as one of the numbers of a grid, its cell, and to be
 * in one cell is transitive. Whole numbers up to 2^42 are cells of their own; larger numbers keep
 * 42 bits. Numbers that are equal on paper come into two cells only if an edge lies between them:
 * after some hours an instant has a rounding error of 1e-9 ms, and one tie in a million is missed.
 *
 * For two numbers that need no order, such as a time and a limit, `isClearlyBelow` misses none.
 */
export function onPaper(x: number): number {
  const size = Math.abs(x);
  if (!(size < WHOLE_FROM)) return x;
  let cells = CELLS;
  while (size * cells >= CELLS_MAX) cells /= 2;
  return Math.floor(x * cells + GOLDEN) / cells;
}

/** The shortest time, or the smallest size, comes first; of equals on paper, the least `tie`. */
export const leastFirst = <T>(key: Key<T>, tie: Key<T>): Comparator<T> =>
  ascending((item) => onPaper(key(item)), ascending(tie));

/** The longest time, or the largest size, comes first; of equals on paper, the least `tie`. */
export const mostFirst = <T>(key: Key<T>, tie: Key<T>): Comparator<T> =>
  descending((item) => onPaper(key(item)), ascending(tie));

type Key<T> = (item: T) => number;
