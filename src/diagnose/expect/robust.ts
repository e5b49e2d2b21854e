import { assert } from "../../base/assert.ts";

/** The median absolute deviation of a normal distribution times this is its standard deviation. */
const MAD_TO_SIGMA = 1.4826;
/** Tukey's bisquare: residuals beyond this many deviations lose all weight. */
const BISQUARE = 4.685;
/** Rounds of least absolute deviations, from which the bisquare starts. */
const ABSOLUTE_ROUNDS = 8;

/** The median of at least one value, in any order. COST: O(n), by selection. */
export function medianOf(values: ArrayLike<number>): number {
  assert(values.length > 0, "the median of nothing");
  const kept = Float64Array.from(values);
  const middle = kept.length >> 1;
  const upper = select(kept, middle);
  if (kept.length % 2 === 1) return upper;
  // What lies before the selected value is at most as large.
  let lower = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < middle; i++) lower = Math.max(lower, kept[i] ?? lower);
  return (lower + upper) / 2;
}

/** The value of this rank; smaller ones end up before it. */
function select(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] ?? 0) < pivot) i++;
      while ((values[j] ?? 0) > pivot) j--;
      if (i > j) break;
      const kept = values[i] ?? 0;
      values[i++] = values[j] ?? 0;
      values[j--] = kept;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return values[rank] ?? 0;
}

/** The least value that at least half of the weight does not exceed. */
export function lowerWeightedMedian(values: readonly number[], weights: readonly number[]): number {
  const order = values.map((_, i) => i).sort((a, b) => compare(values[a] ?? 0, values[b] ?? 0));
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2;
  let seen = 0;
  for (const i of order) {
    seen += weights[i] ?? 0;
    if (seen >= half) return values[i] ?? 0;
  }
  return values[order.at(-1) ?? 0] ?? 0;
}

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/** The standard deviation, from the median of the absolute deviations from zero. */
export function robustSigma(residuals: ArrayLike<number>): number {
  const sizes = new Float64Array(residuals.length);
  for (let i = 0; i < sizes.length; i++) sizes[i] = Math.abs(residuals[i] ?? 0);
  return MAD_TO_SIGMA * medianOf(sizes);
}

/** A line through points, and how sure each of its coefficients is. */
export interface Line {
  /** The constant first, then one coefficient per term. */
  readonly coefficients: readonly number[];
  /** Coefficient / standard error. */
  readonly t: readonly number[];
}

/**
 * Fits y = b0 + b1 x1 + ... on relative errors: from least absolute deviations to bisquare, so that
 * outliers lose their weight and no straggler explains itself. Each row of `x` starts with 1.
 * undefined if the terms cannot be told apart.
 */
export function fitRelative(
  x: readonly (readonly number[])[],
  y: readonly number[],
  rounds = 30,
): Line | undefined {
  let b: readonly number[] = (x[0] ?? []).map((_, i) => (i === 0 ? medianOf(y) : 0));
  let solved: Solved | undefined;
  let sigma = 0;
  for (let round = 0; round < rounds; round++) {
    const predicted = x.map((row) => predict(row, b));
    const floor = 0.05 * medianOf(y);
    const scale = predicted.map((value) => Math.max(value, floor));
    const relative = y.map((value, i) => (value - (predicted[i] ?? 0)) / (scale[i] ?? 1));
    sigma = Math.max(robustSigma(relative), 1e-6);
    const isAbsolute = round < ABSOLUTE_ROUNDS;
    const weights = relative.map((r) =>
      isAbsolute ? 1 / Math.max(Math.abs(r), 0.1 * sigma) : bisquare(r / (BISQUARE * sigma)),
    );
    solved = solve(x, y, scale, weights);
    if (solved === undefined) return undefined;
    const before = b;
    b = solved.coefficients;
    if (!isAbsolute && hasSettled(before, b)) break;
  }
  if (solved === undefined) return undefined;
  const { inverse } = solved;
  const t = b.map(
    (value, i) => value / (sigma * Math.sqrt(Math.max(inverse[i]?.[i] ?? 0, 1e-300))),
  );
  return { coefficients: b, t };
}

export const predict = (row: readonly number[], b: readonly number[]): number => {
  let total = 0;
  for (let i = 0; i < b.length; i++) total += (row[i] ?? 0) * (b[i] ?? 0);
  return total;
};

const hasSettled = (before: readonly number[], after: readonly number[]): boolean =>
  after.every((value, i) => Math.abs(value - (before[i] ?? 0)) <= 1e-5 * Math.abs(value));

const bisquare = (u: number): number => (Math.abs(u) >= 1 ? 0 : (1 - u * u) * (1 - u * u));

interface Solved {
  readonly coefficients: readonly number[];
  readonly inverse: readonly (readonly number[])[];
}

/** Weighted least squares of rows divided by their scale, by the normal equations. */
function solve(
  x: readonly (readonly number[])[],
  y: readonly number[],
  scale: readonly number[],
  weights: readonly number[],
): Solved | undefined {
  const size = x[0]?.length ?? 0;
  const normal = Array.from({ length: size }, () => new Float64Array(2 * size + 1));
  for (const [n, row] of x.entries()) {
    const weight = (weights[n] ?? 0) / ((scale[n] ?? 1) * (scale[n] ?? 1));
    for (let i = 0; i < size; i++) {
      const into = normal[i] ?? new Float64Array(0);
      const left = weight * (row[i] ?? 0);
      for (let j = 0; j < size; j++) into[j] = (into[j] ?? 0) + left * (row[j] ?? 0);
      into[2 * size] = (into[2 * size] ?? 0) + left * (y[n] ?? 0);
    }
  }
  for (const [i, row] of normal.entries()) row[size + i] = 1;
  if (!eliminate(normal)) return undefined;
  return {
    coefficients: normal.map((row) => row[2 * size] ?? 0),
    inverse: normal.map((row) => Array.from(row.subarray(size, 2 * size))),
  };
}

/** Gauss and Jordan, with pivots; false if the matrix is singular. */
function eliminate(rows: Float64Array[]): boolean {
  for (let at = 0; at < rows.length; at++) {
    let best = at;
    for (let i = at; i < rows.length; i++) {
      if (Math.abs(rows[i]?.[at] ?? 0) > Math.abs(rows[best]?.[at] ?? 0)) best = i;
    }
    const pivotRow = rows[best] ?? new Float64Array(0);
    rows[best] = rows[at] ?? pivotRow;
    rows[at] = pivotRow;
    const pivot = pivotRow[at] ?? 0;
    if (!(Math.abs(pivot) > 1e-30)) return false;
    for (let j = 0; j < pivotRow.length; j++) pivotRow[j] = (pivotRow[j] ?? 0) / pivot;
    for (const row of rows) {
      const factor = row[at] ?? 0;
      if (row === pivotRow || factor === 0) continue;
      for (let j = 0; j < row.length; j++) row[j] = (row[j] ?? 0) - factor * (pivotRow[j] ?? 0);
    }
  }
  return true;
}
