import { below } from "../letter/figures.ts";

export { below, deviation, largest, mean, percentile, sum } from "../letter/figures.ts";

/** Strictly above, by more than the last bits of numbers that are equal on paper. */
export const above = (a: number, b: number): boolean => below(b, a);

/** Whether two computations of one number agree. */
export const same = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));
