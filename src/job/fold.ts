import { defined } from "../base/assert.ts";
import { addExactly, type ExactSum, mergeExactly, roundExactly } from "./exact-sum.ts";
import type { Key } from "./key.ts";
import { compareKeys } from "./key-order.ts";

/**
 * A reduce that is its own combiner: values are added to accumulators in any task, and accumulators
 * are merged. The result must not depend on how values are grouped. An accumulator is itself a
 * value that travels from map to reduce (see `Value` in docs/internals/formats.md).
 */
export interface Fold<V, Accumulator, Result> {
  readonly name: string;
  /**
   * The kind of a fold of numbers that hosts may do without JavaScript values; set only by the
   * folds of this package.
   */
  readonly numbers?: "count" | "sum" | "mean" | "min" | "max";
  /**
   * Whether an accumulator holds all values: an accumulator that does not fit into memory is then
   * refused before it is read.
   */
  readonly keepsAll?: boolean;
  /** A new accumulator for each call: `add` and `merge` may change their first argument. */
  init(): Accumulator;
  add(accumulator: Accumulator, value: V): Accumulator;
  merge(left: Accumulator, right: Accumulator): Accumulator;
  done(accumulator: Accumulator): Result;
  /** The total of no values; if absent, there is no record then. */
  ofNothing?(): Result;
}

/** Counts the values of a key. */
export function count(): Fold<unknown, number, number> {
  return {
    name: "count",
    numbers: "count",
    init: () => 0,
    add: (so) => so + 1,
    merge: (left, right) => left + right,
    done: (so) => so,
    ofNothing: () => 0,
  };
}

/** The sum, rounded once at the end, so that it does not depend on the order of the values. */
export function sum(): Fold<number, ExactSum, number> {
  return {
    name: "sum",
    numbers: "sum",
    init: () => 0,
    add: addExactly,
    merge: mergeExactly,
    done: roundExactly,
    ofNothing: () => 0,
  };
}

/** The arithmetic mean: the exact sum, rounded, over the count. */
export function mean(): Fold<number, readonly [ExactSum, number], number> {
  return {
    name: "mean",
    numbers: "mean",
    init: () => [0, 0],
    add: ([so, n], value) => [addExactly(so, value), n + 1],
    merge: ([left, m], [right, n]) => [mergeExactly(left, right), m + n],
    done: ([so, n]) => roundExactly(so) / n,
  };
}

/**
 * Infers `V` only from the values that are folded, so that `max()` of texts needs no `<string>`.
 */
type Extreme<V> = Fold<V, NoInfer<V> | undefined, NoInfer<V>>;

/** The least value in the order of keys; NaN is the greatest number. */
export function min<V extends Key = number>(): Extreme<V> {
  return extreme("min", (left, right) => compareKeys(left, right) <= 0);
}

/** The greatest value in the order of keys; NaN is the greatest number. */
export function max<V extends Key = number>(): Extreme<V> {
  return extreme("max", (left, right) => compareKeys(left, right) >= 0);
}

function extreme<V extends Key>(
  name: "min" | "max",
  wins: (left: V, right: V) => boolean,
): Fold<V, V | undefined, V> {
  const better = (left: V | undefined, right: V | undefined): V | undefined => {
    if (left === undefined) return right;
    if (right === undefined) return left;
    return wins(left, right) ? left : right;
  };
  return {
    name,
    numbers: name,
    init: () => undefined,
    add: better,
    merge: better,
    done: (so) => defined(so, `a value for ${name}`),
  };
}

/** Keeps a key once, without a value. */
export function once(): Fold<unknown, null, null> {
  return { name: "once", init: () => null, add: () => null, merge: () => null, done: () => null };
}
