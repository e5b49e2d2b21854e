import { assert, defined } from "./assert.ts";

export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** The mean of at least one value. */
export function mean(values: readonly number[]): number {
  assert(values.length > 0, "the mean of nothing");
  return sum(values) / values.length;
}

/** The variance of a sample: divided by n - 1; 0 for one value. */
export function variance(values: readonly number[]): number {
  const center = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - center) * (value - center);
  return values.length === 1 ? 0 : squares / (values.length - 1);
}

export function standardDeviation(values: readonly number[]): number {
  return Math.sqrt(variance(values));
}

/** The median of values in any order. */
export function median(values: readonly number[]): number {
  return percentile(new Float64Array(values).sort(), 50);
}

/** Interpolated between the two nearest ranks (numpy's "linear"); q from 0 to 100. */
export const percentile = (rising: readonly number[] | Float64Array, q: number): number =>
  percentileOf(rising.length, q, (rank) => defined(rising[rank], "a rank within the values"));

/** The percentile of `count` values; `valueAt` gives the value of a rank from 0 on. */
export function percentileOf(count: number, q: number, valueAt: (rank: number) => number): number {
  assert(count > 0, "a percentile of nothing");
  assert(q >= 0 && q <= 100, "a percentile is between 0 and 100");
  const rank = (q / 100) * (count - 1);
  const below = Math.floor(rank);
  const low = valueAt(below);
  if (rank === below || below + 1 === count) return low;
  const high = valueAt(below + 1);
  // Equal neighbours, including infinite ones, are not interpolated: Infinity - Infinity is NaN.
  return high === low ? low : low + (high - low) * (rank - below);
}

export interface Interval {
  readonly mean: number;
  /** Half the width of the 95 % interval of the mean; 0 for one value. */
  readonly halfWidth: number;
}

/** The mean and its 95 % interval by Student's t. */
export function interval95(values: readonly number[]): Interval {
  const center = mean(values);
  if (values.length === 1) return { mean: center, halfWidth: 0 };
  const error = standardDeviation(values) / Math.sqrt(values.length);
  return { mean: center, halfWidth: studentT975(values.length - 1) * error };
}

/**
 * The mean difference of pairs (same seed, two disciplines), `to` minus `from`, with its interval.
 */
export function paired95(pairs: {
  readonly from: readonly number[];
  readonly to: readonly number[];
}): Interval {
  assert(pairs.from.length === pairs.to.length, "pairs need two lists of one length");
  return interval95(pairs.to.map((value, i) => value - defined(pairs.from[i], "a pair")));
}

/** Student's t, two-sided 95 %, for 1 to 30 degrees of freedom. */
const T975: readonly number[] = [
  12.7062047364, 4.30265272975, 3.18244630528, 2.7764451052, 2.57058183661, 2.44691184879,
  2.36462425101, 2.30600413503, 2.26215716274, 2.22813885196, 2.20098516008, 2.17881282966,
  2.16036865646, 2.14478668792, 2.13144954556, 2.11990529922, 2.10981557783, 2.10092204024,
  2.09302405441, 2.08596344727, 2.07961384473, 2.0738730679, 2.06865761042, 2.06389856163,
  2.05953855275, 2.05552943864, 2.05183051648, 2.0484071418, 2.04522964213, 2.0422724563,
];

/** Beyond the table, Fisher's expansion around the normal quantile: exact to six digits. */
export function studentT975(degrees: number): number {
  assert(degrees >= 1, "at least one degree of freedom");
  const listed = T975[degrees - 1];
  if (listed !== undefined) return listed;
  const z = 1.959963984540054;
  const z3 = z * z * z;
  const z5 = z3 * z * z;
  const z7 = z5 * z * z;
  return (
    z +
    (z3 + z) / (4 * degrees) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees)
  );
}
