/** Numeric values as bytes: docs/internals/formats.md. */
import { longVarint, putVarint, varintBytes } from "./varint";

const NATURAL: u8 = 0x04;
const NEGATIVE: u8 = 0x05;
const FLOAT: u8 = 0x06;
const ARRAY: u8 = 0x0b;
const SMALL: u8 = 0x80;
/** 2^53: smaller whole numbers are written by their digits. */
const SAFE: f64 = 9007199254740992;

@inline
export function isNatural(at: usize): bool {
  const tag = load<u8>(at);
  return tag >= SMALL || tag === NATURAL;
}

@inline
export function natural(at: usize): u64 {
  const tag = load<u8>(at);
  return tag >= SMALL ? <u64>(tag & 0x7f) : longVarint(at + 1);
}

@inline
export function isNumber(at: usize): bool {
  const tag = load<u8>(at);
  return tag >= SMALL || tag === NATURAL || tag === NEGATIVE || tag === FLOAT;
}

@inline
export function number(at: usize): f64 {
  const tag = load<u8>(at);
  if (tag >= SMALL) return <f64>(tag & 0x7f);
  if (tag === FLOAT) return load<f64>(at, 1);
  const size = <f64>longVarint(at + 1);
  return tag === NATURAL ? size : -size;
}

/** Whether an array of `count` numbers starts there; `count` is below 128. */
@inline
export function isArray(at: usize, count: u8): bool {
  return load<u8>(at) === ARRAY && load<u8>(at, 1) === count;
}

/** The place where the number ends. */
@inline
export function numberEnd(at: usize): usize {
  const tag = load<u8>(at);
  if (tag >= SMALL) return at + 1;
  if (tag === FLOAT) return at + 9;
  let place = at + 1;
  while (load<u8>(place) >= 0x80) place++;
  return place + 1;
}

/** Whether the number is written by its digits: whole, below 2^53, not -0. */
@inline
export function isWhole(value: f64): bool {
  return (
    abs(value) < SAFE && trunc(value) === value && reinterpret<u64>(value) !== 0x8000000000000000
  );
}

@inline
export function naturalBytes(value: u64): u32 {
  return value < 0x80 ? 1 : 1 + varintBytes(value);
}

@inline
export function putNatural(at: usize, value: u64): usize {
  if (value < 0x80) {
    store<u8>(at, SMALL | <u8>value);
    return at + 1;
  }
  store<u8>(at, NATURAL);
  return putVarint(at + 1, value);
}

@inline
export function numberBytes(value: f64): u32 {
  if (!isWhole(value)) return 9;
  const size = <u64>abs(value);
  return value >= 0 ? naturalBytes(size) : 1 + varintBytes(size);
}

@inline
export function putNumber(at: usize, value: f64): usize {
  if (!isWhole(value)) {
    store<u8>(at, FLOAT);
    store<f64>(at, value, 1);
    return at + 9;
  }
  if (value >= 0) return putNatural(at, <u64>value);
  store<u8>(at, NEGATIVE);
  return putVarint(at + 1, <u64>-value);
}

@inline
export function sumBytes(high: f64, low: f64): u32 {
  return low === 0 ? numberBytes(high) : 2 + numberBytes(low) + numberBytes(high);
}

/** An exact sum: a number, or two that do not overlap, the lesser first. */
@inline
export function putSum(at: usize, high: f64, low: f64): usize {
  if (low === 0) return putNumber(at, high);
  return putNumber(putNumber(putArray(at, 2), low), high);
}

@inline
export function putArray(at: usize, count: u8): usize {
  store<u8>(at, ARRAY);
  store<u8>(at, count, 1);
  return at + 2;
}

/** The 8 bytes of a number's key, as a big-endian number. */
@inline
export function numberKey(value: f64): u64 {
  const bits = reinterpret<u64>(value === value ? value : NaN);
  return bits ^ (<u64>(<i64>bits >> 63) | 0x8000000000000000);
}

@inline
export function keyNumber(key: u64): f64 {
  return reinterpret<f64>(key ^ (<u64>~(<i64>key >> 63) | 0x8000000000000000));
}
