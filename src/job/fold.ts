import { defined } from "../base/assert.ts";
import { addExactly, type ExactSum, mergeExactly, roundExactly } from "./exact-sum.ts";
import type { Key } from "./key.ts";
import { compareKeys } from "./key-order.ts";

/**
 * A reduce that is its own combiner: values are added to an accumulator wherever they are, and
 * accumulators are merged wherever they meet. The result must not depend on how values are grouped.
 * An accumulator is itself a value that travels from map to reduce (see `Value` in
 * docs/formats.md).
 */
export interface Fold<V, Accumulator, Result> {
  readonly name: string;
  /** A fold of numbers that hosts may do without JavaScript values: set by those here alone. */
  readonly numbers?: "count" | "sum" | "mean" | "min" | "max";
  /** Whether an accumulator holds all values: one that has no room is refused before it is read. */
  readonly keepsAll?: boolean;
  /** A new one each time: `add` and `merge` may change the first that they are given. */
  init(): Accumulator;
  add(accumulator: Accumulator, value: V): Accumulator;
  merge(left: Accumulator, right: Accumulator): Accumulator;
  done(accumulator: Accumulator): Result;
  /** What no values at all come to, where a total is asked for; absent: to nothing. */
  ofNothing?(): Result;
}

/** How many values a key has. */
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

/** What is folded says what `V` is, nothing else does: so `max()` of texts needs no `<string>`. */
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

/** That a key is there at all. */
export function once(): Fold<unknown, null, null> {
  return { name: "once", init: () => null, add: () => null, merge: () => null, done: () => null };
}
