/**
 * Whether x is smaller than a limit by more than a rounding error: rates and sums that are equal on
 * paper may differ in their last bits, and must not be ordered by them.
 */
export const isClearlyBelow = (x: number, limit: number): boolean =>
  // A limit of Infinity has no margin: Infinity - Infinity is NaN.
  limit === Number.POSITIVE_INFINITY ? x < limit : x < limit - Math.abs(limit) * 1e-9;

/** Whether x is larger than a limit by more than a rounding error. */
export const isClearlyAbove = (x: number, limit: number): boolean => isClearlyBelow(-x, -limit);
