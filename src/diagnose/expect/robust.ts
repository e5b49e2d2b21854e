import { assert } from "../../base/assert.ts";
import { cell } from "../../base/rows.ts";

/** The median absolute deviation of a normal distribution times this is its standard deviation. */
const MAD_TO_SIGMA = 1.4826;
/** Tukey's bisquare: residuals beyond this many deviations lose all weight. */
const BISQUARE = 4.685;
/** Rounds of least absolute deviations, from which the bisquare starts. */
const ABSOLUTE_ROUNDS = 8;

/** Most phases are small, and their medians many: these need no memory of their own. */
const SMALL = new Float64Array(64);

/** The median of at least one value, in any order. COST: O(n), by selection. */
export function medianOf(values: ArrayLike<number>): number {
  const { length } = values;
  assert(length > 0, "the median of nothing");
  const kept = length <= SMALL.length ? SMALL : new Float64Array(length);
  for (let i = 0; i < length; i++) kept[i] = cell(values[i]);
  const middle = length >> 1;
  const upper = select(kept, length, middle);
  if (length % 2 === 1) return upper;
  // The values before the selected one are at most as large.
  let lower = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < middle; i++) lower = Math.max(lower, kept[i] ?? lower);
  return (lower + upper) / 2;
}

/** The value of this rank among the first `length`; smaller ones end up before it. */
function select(values: Float64Array, length: number, rank: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const pivot = cell(values[(low + high) >> 1]);
    let i = low;
    let j = high;
    while (i <= j) {
      while (cell(values[i]) < pivot) i++;
      while (cell(values[j]) > pivot) j--;
      if (i > j) break;
      const kept = cell(values[i]);
      values[i++] = cell(values[j]);
      values[j--] = kept;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return cell(values[rank]);
}

/** The least value that at least half of the weight does not exceed. */
export function lowerWeightedMedian(values: readonly number[], weights: readonly number[]): number {
  const order = values.map((_, i) => i).sort((a, b) => compare(cell(values[a]), cell(values[b])));
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2;
  let seen = 0;
  for (const i of order) {
    seen += cell(weights[i]);
    if (seen >= half) return cell(values[i]);
  }
  return cell(values[cell(order.at(-1))]);
}

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/** The standard deviation, from the median of the absolute deviations from zero. */
export function robustSigma(residuals: ArrayLike<number>): number {
  const sizes = new Float64Array(residuals.length);
  for (let i = 0; i < sizes.length; i++) sizes[i] = Math.abs(cell(residuals[i]));
  return MAD_TO_SIGMA * medianOf(sizes);
}

/** A line through points, and how sure each of its coefficients is. */
export interface Line {
  /** The constant first, then one coefficient per term. */
  readonly coefficients: readonly number[];
  /** Coefficient / standard error. */
  readonly t: readonly number[];
}

const ROUNDS_MAX = 30;

/**
 * Fits y = b0 + b1 x1 + ... on relative errors: from least absolute deviations to bisquare, so that
 * outliers lose their weight and no straggler explains itself. `terms`: one column per term, of y's
 * length. undefined if the terms cannot be distinguished. COST: O(ROUNDS_MAX x length x terms^2).
 */
export function fitRelative(terms: readonly Float64Array[], y: Float64Array): Line | undefined {
  const middle = medianOf(y);
  const floor = 0.05 * middle;
  let b: readonly number[] = [middle, ...terms.map(() => 0)];
  let solved: Solved | undefined;
  let sigma = 0;
  const relative = new Float64Array(y.length);
  const scale = new Float64Array(y.length);
  const weights = new Float64Array(y.length);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (let i = 0; i < y.length; i++) {
      let predicted = cell(b[0]);
      for (let k = 0; k < terms.length; k++) predicted += cell(b[k + 1]) * cell(terms[k]?.[i]);
      scale[i] = Math.max(predicted, floor);
      relative[i] = (cell(y[i]) - predicted) / cell(scale[i]);
    }
    sigma = Math.max(robustSigma(relative), 1e-6);
    const isAbsolute = round < ABSOLUTE_ROUNDS;
    for (let i = 0; i < y.length; i++) {
      const r = cell(relative[i]);
      const weight = isAbsolute
        ? 1 / Math.max(Math.abs(r), 0.1 * sigma)
        : bisquare(r / (BISQUARE * sigma));
      weights[i] = weight / (cell(scale[i]) * cell(scale[i]));
    }
    solved = solve(terms, y, weights);
    if (solved === undefined) return undefined;
    const before = b;
    b = solved.coefficients;
    if (!isAbsolute && hasSettled(before, b)) break;
  }
  if (solved === undefined) return undefined;
  const { inverse } = solved;
  const t = b.map((value, i) => value / (sigma * Math.sqrt(Math.max(cell(inverse[i]), 1e-300))));
  return { coefficients: b, t };
}

const hasSettled = (before: readonly number[], after: readonly number[]): boolean =>
  after.every((value, i) => Math.abs(value - cell(before[i])) <= 1e-5 * Math.abs(value));

const bisquare = (u: number): number => (Math.abs(u) >= 1 ? 0 : (1 - u * u) * (1 - u * u));

interface Solved {
  readonly coefficients: readonly number[];
  /** The diagonal of the inverse of the normal matrix. */
  readonly inverse: readonly number[];
}

/** Weighted least squares by the normal equations. */
function solve(
  terms: readonly Float64Array[],
  y: Float64Array,
  weights: Float64Array,
): Solved | undefined {
  const size = terms.length + 1;
  const normal = Array.from({ length: size }, () => new Float64Array(2 * size + 1));
  for (let i = 0; i < size; i++) {
    const into = normal[i] ?? new Float64Array(0);
    for (let j = i; j <= size; j++) {
      const right = j === size ? y : terms[j - 1];
      const total = product(weights, terms[i - 1], right);
      if (j === size) into[2 * size] = total;
      else {
        into[j] = total;
        const mirrored = normal[j];
        if (mirrored !== undefined) mirrored[i] = total;
      }
    }
    into[size + i] = 1;
  }
  if (!eliminate(normal)) return undefined;
  return {
    coefficients: normal.map((row) => cell(row[2 * size])),
    inverse: normal.map((row, i) => cell(row[size + i])),
  };
}

/** The weighted sum of products; an absent column is the constant 1. */
function product(
  weights: Float64Array,
  left: Float64Array | undefined,
  right: Float64Array | undefined,
): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = cell(weights[i]);
    const a = left === undefined ? 1 : cell(left[i]);
    const b = right === undefined ? 1 : cell(right[i]);
    total += weight * a * b;
  }
  return total;
}

/** Gauss and Jordan, with pivots; false if the matrix is singular. */
function eliminate(rows: Float64Array[]): boolean {
  for (let at = 0; at < rows.length; at++) {
    let best = at;
    for (let i = at; i < rows.length; i++) {
      if (Math.abs(cell(rows[i]?.[at])) > Math.abs(cell(rows[best]?.[at]))) best = i;
    }
    const pivotRow = rows[best] ?? new Float64Array(0);
    rows[best] = rows[at] ?? pivotRow;
    rows[at] = pivotRow;
    const pivot = cell(pivotRow[at]);
    if (!(Math.abs(pivot) > 1e-30)) return false;
    for (let j = 0; j < pivotRow.length; j++) pivotRow[j] = cell(pivotRow[j]) / pivot;
    for (const row of rows) {
      const factor = cell(row[at]);
      if (row === pivotRow || factor === 0) continue;
      for (let j = 0; j < row.length; j++) row[j] = cell(row[j]) - factor * cell(pivotRow[j]);
    }
  }
  return true;
}
