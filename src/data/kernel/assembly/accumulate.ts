/**
 * Accumulators, `stride` bytes apart. A value with an `id` is added to the accumulator at `base +
 * stride * id`. An accumulator of zeros is empty.
 *
 *     count      u64
 *     sum        f64 high   f64 low: exactly high + low, high being its rounding
 *     mean       a sum, a count
 *     least, greatest   u64 the number as its key   u64 1 if there is one
 */
import { isArray, isNumber, isNatural, natural, number, numberEnd, numberKey } from "./values";

/**
 * The kinds of accumulators, as arguments of `mergeValues` and of the functions that write them.
 */
export const COUNT: u32 = 1;
export const SUM: u32 = 2;
export const MEAN: u32 = 3;
export const LEAST: u32 = 4;
export const GREATEST: u32 = 5;

/** The accumulators touched at once. */
const QUEUE: u32 = 64;

@inline
function accumulator(base: usize, stride: u32, ids: usize, i: u32): usize {
  return base + <usize>(stride * load<u32>(ids + <usize>(i * 4)));
}

export function countIds(base: usize, stride: u32, ids: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const at = accumulator(base, stride, ids, i);
    store<u64>(at, load<u64>(at) + 1);
  }
}

/** Adds f64. Returns the number added; fewer if the next would make the sum inexact. */
export function sumValues(base: usize, stride: u32, ids: usize, values: usize, count: u32): u32 {
  for (let from: u32 = 0; from < count; from += QUEUE) {
    const until = min(from + QUEUE, count);
    touch(base, stride, ids, from, until);
    for (let i = from; i < until; i++) {
      const at = accumulator(base, stride, ids, i);
      if (!addExactly(at, load<f64>(values + <usize>(i * 8)))) return i;
    }
  }
  return count;
}

/** Prefetches accumulators, in so short a loop that many loads overlap. */
@inline
function touch(base: usize, stride: u32, ids: usize, from: u32, until: u32): void {
  // The load could trap, so the compiler keeps it.
  for (let i = from; i < until; i++) load<u64>(accumulator(base, stride, ids, i));
}

/** The rounding error of `rounded` = x + y: Knuth's TwoSum. */
@inline
function lost(x: f64, y: f64, rounded: f64): f64 {
  const part = rounded - x;
  return x - (rounded - part) + (y - part);
}

/** False, with nothing added, if two f64 do not hold the sum, or it is not finite. */
@inline
function addExactly(at: usize, value: f64): bool {
  const high = load<f64>(at);
  const low = load<f64>(at, 8);
  const rounded = high + value;
  const error = lost(high, value, rounded);
  if (error === 0 && low === 0) {
    store<f64>(at, rounded);
    return true;
  }
  const rest = low + error;
  if (lost(low, error, rest) !== 0) return false;
  const sum = rounded + rest;
  store<f64>(at, sum);
  store<f64>(at, lost(rounded, rest, sum), 8);
  return true;
}

/** Of u64 as `numberKeys` makes them. */
export function leastValues(base: usize, stride: u32, ids: usize, keys: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    takeLeast(accumulator(base, stride, ids, i), load<u64>(keys + <usize>(i * 8)));
  }
}

export function greatestValues(
  base: usize,
  stride: u32,
  ids: usize,
  keys: usize,
  count: u32,
): void {
  for (let i: u32 = 0; i < count; i++) {
    takeGreatest(accumulator(base, stride, ids, i), load<u64>(keys + <usize>(i * 8)));
  }
}

@inline
function takeLeast(at: usize, key: u64): void {
  if (load<u64>(at, 8) !== 0 && load<u64>(at) <= key) return;
  store<u64>(at, key);
  store<u64>(at, 1, 8);
}

@inline
function takeGreatest(at: usize, key: u64): void {
  if (load<u64>(at, 8) !== 0 && load<u64>(at) >= key) return;
  store<u64>(at, key);
  store<u64>(at, 1, 8);
}

/**
 * Merges accumulators from records, whose u32 places are `values`, with those of the same kind.
 * Returns the number merged; fewer if the next one cannot be merged.
 */
export function mergeValues(
  kind: u32,
  base: usize,
  stride: u32,
  ids: usize,
  values: usize,
  count: u32,
): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const at = accumulator(base, stride, ids, i);
    const value: usize = load<u32>(values + <usize>(i * 4));
    if (!merge(kind, at, value)) return i;
  }
  return count;
}

@inline
function merge(kind: u32, at: usize, value: usize): bool {
  if (kind === COUNT) {
    if (!isNatural(value)) return false;
    store<u64>(at, load<u64>(at) + natural(value));
    return true;
  }
  if (kind === SUM) return sumEnd(value) !== 0 && mergeSum(at, value);
  if (kind === MEAN) {
    if (!isArray(value, 2)) return false;
    const count = sumEnd(value + 2);
    if (count === 0 || !isNatural(count) || !mergeSum(at, value + 2)) return false;
    store<u64>(at, load<u64>(at, 16) + natural(count), 16);
    return true;
  }
  if (!isNumber(value)) return false;
  const key = numberKey(number(value));
  if (kind === LEAST) takeLeast(at, key);
  else takeGreatest(at, key);
  return true;
}

/** The end of the sum, which is a number or two; 0 if it is neither. */
@inline
function sumEnd(value: usize): usize {
  if (isNumber(value)) return numberEnd(value);
  if (!isArray(value, 2) || !isNumber(value + 2)) return 0;
  const second = numberEnd(value + 2);
  return isNumber(second) ? numberEnd(second) : 0;
}

/** Both of its parts, or nothing. */
@inline
function mergeSum(at: usize, value: usize): bool {
  if (isNumber(value)) return addExactly(at, number(value));
  const before = v128.load(at);
  const second = numberEnd(value + 2);
  if (addExactly(at, number(value + 2)) && addExactly(at, number(second))) return true;
  v128.store(at, before);
  return false;
}
