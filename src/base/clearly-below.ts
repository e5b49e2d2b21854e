/**
 * Whether x is smaller than a limit by more than rounding can do: rates and sums that are equal on
 * paper differ in their last bits, and must not be told apart by them.
 */
export const isClearlyBelow = (x: number, limit: number): boolean =>
  // No limit is clear of everything that has one: Infinity - Infinity is NaN.
  limit === Number.POSITIVE_INFINITY ? x < limit : x < limit - Math.abs(limit) * 1e-9;
