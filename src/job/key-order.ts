import { assert } from "../base/assert.ts";
import { isDate } from "./date.ts";
import type { Key } from "./key.ts";

/**
 * The order of keys, defined once for sort, merge and ranges: null, false, true, numbers, bigints,
 * strings, tuples, dates. Numbers by value, -0 before 0, NaN after Infinity; strings by code point;
 * tuples element by element, a prefix first; dates by time. 0 if they are the same key. Comparing
 * key bytes gives the same order.
 */
export function compareKeys(left: Key, right: Key): number {
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (typeof left === "number" && typeof right === "number") return compareNumbers(left, right);
  if (typeof left === "bigint" && typeof right === "bigint")
    return sign(left < right, left > right);
  if (isTuple(left) && isTuple(right)) return compareTuples(left, right);
  if (isDate(left) && isDate(right)) return compareNumbers(left.getTime(), right.getTime());
  return compareNumbers(rank(left), rank(right));
}

const isTuple = (key: Key): key is readonly Key[] => Array.isArray(key);

function rank(key: Key): number {
  if (key === null) return 0;
  if (typeof key === "boolean") return key ? 2 : 1;
  const rank = ["number", "bigint", "string", "object"].indexOf(typeof key);
  assert(rank >= 0, `${typeof key} is no key`);
  return 3 + rank + Number(isDate(key));
}

const sign = (less: boolean, greater: boolean): number => (less ? -1 : greater ? 1 : 0);

function compareNumbers(left: number, right: number): number {
  if (Number.isNaN(left) || Number.isNaN(right))
    return sign(!Number.isNaN(left), !Number.isNaN(right));
  if (left === 0 && right === 0) return Number(isMinusZero(right)) - Number(isMinusZero(left));
  return sign(left < right, left > right);
}

const isMinusZero = (x: number): boolean => Object.is(x, -0);

/**
 * By code point: UTF-16 orders U+E000 to U+FFFF after the surrogates, code points order them
 * before.
 */
function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    if (left.charCodeAt(i) === right.charCodeAt(i)) continue;
    const inPair = i > 0 ? compareCodePoints(left, right, i - 1) : 0;
    return inPair === 0 ? compareCodePoints(left, right, i) : inPair;
  }
  return left.length - right.length;
}

function compareCodePoints(left: string, right: string, at: number): number {
  return (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);
}

function compareTuples(left: readonly Key[], right: readonly Key[]): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const order = compareKeys(left[i] ?? null, right[i] ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
