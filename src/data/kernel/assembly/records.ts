/**
 * Makes records of run files (`varint key bytes, varint value bytes, key, value`) from entries, and
 * entries from records; and lines of text from entries. docs/internals/formats.md has the formats
 * of keys and values.
 */
import { COUNT, MEAN, SUM } from "./accumulate";
import { copy, FIELD_END, LINE_END, marks, OVERSHOOT, ZERO, zeros } from "./bytes";
import { ENTRY_BYTES, setEntry } from "./entries";
import {
  isNumber,
  isWhole,
  keyNumber,
  naturalBytes,
  number,
  numberBytes,
  putArray,
  putNatural,
  putNumber,
  putSum,
  sumBytes,
} from "./values";
import { putVarint, varint, varintEnd } from "./varint";

const NUMBER_TAG: u8 = 0x04;
const STRING_TAG: u8 = 0x06;
const END: u8 = 0x00;
const ESCAPE: u8 = 0xff;
const TAB: u8 = 0x09;
const NEWLINE: u8 = 0x0a;
const MINUS: u8 = 0x2d;

/** The kinds of an entry's key: a string's bytes; an encoded key; a u64; a record's key. */
const PLAIN: u32 = 0;
const ENCODED: u32 = 1;
const NUMBER: u32 = 2;
const OF_RECORD: u32 = 3;

/**
 * The kinds of its value, besides accumulators (1 to 5): a slot's count; a record's value; given
 * bytes; none.
 */
const SLOT: u32 = 0;
const RECORD: u32 = 6;
const CONSTANT: u32 = 7;
const NONE: u32 = 8;

/** Two varints of 5 bytes. */
const HEAD_MAX: u32 = 10;

/** Writes a string as a key: its tag, its bytes with each zero escaped, its end. */
@inline
function putString(at: usize, key: usize, bytes: u32, isEscaped: bool): usize {
  store<u8>(at, STRING_TAG);
  let place = at + 1;
  if (!isEscaped) {
    copy(place, key, bytes);
    place += bytes;
  } else {
    for (let i: u32 = 0; i < bytes; i++) {
      const byte = load<u8>(key + i);
      store<u8>(place++, byte);
      if (byte === END) store<u8>(place++, ESCAPE);
    }
  }
  store<u8>(place++, END);
  return place;
}

/** The place of an entry's value, if it is an accumulator. */
@inline
function valueOf(entry: usize, values: u32, base: usize, stride: u32): usize {
  const payload = load<u32>(entry, 16);
  if (values === SLOT) return payload + 24;
  return values === CONSTANT ? base : base + <usize>(stride * payload);
}

@inline
function bytesOfValue(values: u32, value: usize, stride: u32): u32 {
  if (values === SLOT || values === COUNT) return naturalBytes(load<u64>(value));
  if (values === SUM) return sumBytes(load<f64>(value), load<f64>(value, 8));
  if (values === CONSTANT) return stride;
  if (values === MEAN) {
    const sum = sumBytes(load<f64>(value), load<f64>(value, 8));
    return 2 + sum + naturalBytes(load<u64>(value, 16));
  }
  return numberBytes(keyNumber(load<u64>(value)));
}

@inline
function putValue(at: usize, values: u32, value: usize, stride: u32): usize {
  if (values === SLOT || values === COUNT) return putNatural(at, load<u64>(value));
  if (values === SUM) return putSum(at, load<f64>(value), load<f64>(value, 8));
  if (values === CONSTANT) {
    copy(at, value, stride);
    return at + stride;
  }
  if (values === MEAN) {
    const sum = putSum(putArray(at, 2), load<f64>(value), load<f64>(value, 8));
    return putNatural(sum, load<u64>(value, 16));
  }
  return putNumber(at, keyNumber(load<u64>(value)));
}

/** Entries whose keys and values are prefetched together. */
const AHEAD: u32 = 64;

/**
 * Prefetches what the next entries name: it is scattered over the memory, and waiting for one after
 * the other would cost more than all else. Stores what it loads in `result`, so that the compiler
 * keeps the loads.
 */
@inline
function touch(
  entries: usize,
  count: u32,
  keys: u32,
  values: u32,
  base: usize,
  stride: u32,
  result: usize,
): void {
  const end = entries + <usize>(min(AHEAD, count) * ENTRY_BYTES);
  const ofRecord = keys === OF_RECORD || values === RECORD;
  const isApart = values < RECORD && values !== SLOT;
  let sum: u32 = 0;
  for (let entry = entries; entry < end; entry += ENTRY_BYTES) {
    const key: usize = load<u32>(ofRecord ? entry + 8 : entry, 8);
    sum += load<u8>(key) + load<u8>(key + min<u32>(load<u32>(entry, 12), 64));
    if (isApart) sum += load<u8>(base + <usize>(stride * load<u32>(entry, 16)));
  }
  store<u32>(result, sum);
}

/**
 * Writes records of entries as long as they are of the first one's partition and there is room up
 * to `outEnd`. `keys` and `values` are the kinds of an entry's key and value; `base` and `stride`:
 * the place of the accumulators and their distance, or of the one value and its bytes. Returns the
 * number of records; `result`: u32 the end of what was written.
 */
export function putRecords(
  entries: usize,
  count: u32,
  keys: u32,
  values: u32,
  base: usize,
  stride: u32,
  out: usize,
  outEnd: usize,
  result: usize,
): u32 {
  const last = outEnd - OVERSHOOT;
  const partition = load<u32>(entries, 20);
  let place = out;
  let i: u32 = 0;
  for (; i < count; i++) {
    const entry = entries + <usize>(i * ENTRY_BYTES);
    if (i % AHEAD === 0) touch(entry, count - i, keys, values, base, stride, result);
    if (load<u32>(entry, 20) !== partition) break;
    if (values === RECORD) {
      const record: usize = load<u32>(entry, 16);
      const bytes = <u32>(recordEnd(record) - record);
      if (place + bytes > last) break;
      copy(place, record, bytes);
      place += bytes;
      continue;
    }
    const key: usize = load<u32>(entry, 8);
    const bytes = load<u32>(entry, 12);
    const value = valueOf(entry, values, base, stride);
    const escapes = keys === PLAIN ? zeros(key, bytes) : 0;
    const keyBytes = keys === PLAIN ? bytes + escapes + 2 : keys === NUMBER ? 9 : bytes;
    const valueBytes = bytesOfValue(values, value, stride);
    if (place + keyBytes + valueBytes + HEAD_MAX > last) break;
    place = putVarint(place, keyBytes);
    place = putVarint(place, valueBytes);
    if (keys === PLAIN) {
      place = putString(place, key, bytes, escapes > 0);
    } else if (keys === NUMBER) {
      store<u8>(place, NUMBER_TAG);
      store<u64>(place, bswap<u64>(load<u64>(entry)), 1);
      place += 9;
    } else {
      copy(place, key, bytes);
      place += bytes;
    }
    place = putValue(place, values, value, stride);
  }
  store<u32>(result, <u32>place);
  return i;
}

@inline
export function recordEnd(record: usize): usize {
  const keyBytes = varint(record);
  const sizes = varintEnd(record);
  return varintEnd(sizes) + keyBytes + varint(sizes);
}

/**
 * Entries of the records from `at` to `end`, each with its record. Their keys start after their
 * first `skip` bytes, which all share. At most `room`. Returns their number; `result`: u32 where to
 * continue.
 */
export function recordEntries(
  at: usize,
  end: usize,
  skip: u32,
  into: usize,
  room: u32,
  result: usize,
): u32 {
  let place = at;
  let i: u32 = 0;
  while (place < end && i < room) {
    const keyBytes = varint(place);
    const sizes = varintEnd(place);
    const key = varintEnd(sizes);
    const entry = into + <usize>(i++ * ENTRY_BYTES);
    setEntry(entry, key + skip, keyBytes - skip);
    store<u64>(entry, place, 16);
    place = key + keyBytes + varint(sizes);
  }
  store<u32>(result, <u32>place);
  return i;
}

/**
 * The keys of the records from `at` to `end`, at most `room`, as cells (u32 place, u32 bytes), and
 * the u32 places of their values. Returns their number; `result`: u32 where to continue.
 */
export function recordCells(
  at: usize,
  end: usize,
  cells: usize,
  values: usize,
  room: u32,
  result: usize,
): u32 {
  let place = at;
  let i: u32 = 0;
  for (; place < end && i < room; i++) {
    const keyBytes = varint(place);
    const sizes = varintEnd(place);
    const key = varintEnd(sizes);
    store<u64>(cells + <usize>(i * 8), <u64>key | (<u64>keyBytes << 32));
    store<u32>(values + <usize>(i * 4), <u32>key + keyBytes);
    place = key + keyBytes + varint(sizes);
  }
  store<u32>(result, <u32>place);
  return i;
}

/**
 * Lines of text, `key TAB value`, as long as there is room up to `outEnd`. Strings and whole
 * numbers can be written. Returns their number; `result`: u32 the end of what was written, u32 1 if
 * the next cannot be written, else 0.
 */
export function putText(
  entries: usize,
  count: u32,
  keys: u32,
  values: u32,
  base: usize,
  stride: u32,
  out: usize,
  outEnd: usize,
  result: usize,
): u32 {
  const last = outEnd - OVERSHOOT;
  let place = out;
  let i: u32 = 0;
  let isOther: u32 = 0;
  for (; i < count; i++) {
    const entry = entries + <usize>(i * ENTRY_BYTES);
    if (i % AHEAD === 0) touch(entry, count - i, keys, values, base, stride, result);
    let key: usize = load<u32>(entry, 8);
    let bytes = load<u32>(entry, 12);
    if (keys === OF_RECORD) {
      const record: usize = load<u32>(entry, 16);
      bytes = varint(record);
      key = varintEnd(varintEnd(record));
    }
    if (place + bytes + 48 > last) break;
    let line = keyText(place, keys, entry, key, bytes, values === NONE);
    if (line !== 0 && values !== NONE) {
      store<u8>(line++, TAB);
      const value = values === RECORD ? key + bytes : valueOf(entry, values, base, stride);
      line = valueText(line, values, value);
    }
    if (line === 0) {
      isOther = 1;
      break;
    }
    store<u8>(line, NEWLINE);
    place = line + 1;
  }
  store<u32>(result, <u32>place);
  store<u32>(result, isOther, 4);
  return i;
}

/** The end of the key's text; 0 if it cannot be written. */
@inline
function keyText(
  at: usize,
  keys: u32,
  entry: usize,
  key: usize,
  bytes: u32,
  isAlone: bool,
): usize {
  if (keys === PLAIN) {
    copy(at, key, bytes);
    return at + bytes;
  }
  if (keys === NUMBER) return numberText(at, keyNumber(load<u64>(entry)));
  if (load<u8>(key) === STRING_TAG) return stringText(at, key + 1, bytes - 2, isAlone);
  if (load<u8>(key) !== NUMBER_TAG) return 0;
  return numberText(at, keyNumber(bswap<u64>(load<u64>(key, 1))));
}

/**
 * A string key's bytes without escapes; `bytes` counts neither its tag nor its end. 0: it holds a
 * line end, or, before a value, a TAB or carriage return.
 */
@inline
function stringText(at: usize, key: usize, bytes: u32, isAlone: bool): usize {
  const found = marks(key, bytes);
  if (found & (isAlone ? LINE_END : LINE_END | FIELD_END)) return 0;
  if ((found & ZERO) === 0) {
    copy(at, key, bytes);
    return at + bytes;
  }
  let place = at;
  for (let i: u32 = 0; i < bytes; i++) {
    const byte = load<u8>(key + i);
    store<u8>(place++, byte);
    if (byte === END) i++;
  }
  return place;
}

@inline
function valueText(at: usize, values: u32, value: usize): usize {
  if (values === SLOT || values === COUNT) return naturalText(at, load<u64>(value));
  if (values === SUM) return numberText(at, load<f64>(value));
  if (values === MEAN) return numberText(at, load<f64>(value) / <f64>load<u64>(value, 16));
  if (values === RECORD) return isNumber(value) ? numberText(at, number(value)) : 0;
  return values === CONSTANT ? 0 : numberText(at, keyNumber(load<u64>(value)));
}

@inline
function numberText(at: usize, value: f64): usize {
  if (!isWhole(value)) return 0;
  if (value >= 0) return naturalText(at, <u64>value);
  store<u8>(at, MINUS);
  return naturalText(at + 1, <u64>-value);
}

@inline
function naturalText(at: usize, value: u64): usize {
  let digits: u32 = 1;
  for (let rest = value / 10; rest > 0; rest /= 10) digits++;
  let rest = value;
  for (let place = at + digits - 1; true; place--) {
    store<u8>(place, 0x30 + <u8>(rest % 10));
    rest /= 10;
    if (place === at) break;
  }
  return at + digits;
}
