import { isSame } from "./bytes";
import { ENTRY_BYTES, setEntry } from "./entries";

const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;

@inline
function bits(at: usize, wanted: v128): u64 {
  return <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(at), wanted)));
}

/** A bit for each of 64 bytes that is the wanted one; bytes from `end` on are ignored. */
@inline
function places(block: usize, end: usize, wanted: v128): u64 {
  const all =
    bits(block, wanted) |
    (bits(block + 16, wanted) << 16) |
    (bits(block + 32, wanted) << 32) |
    (bits(block + 48, wanted) << 48);
  return end - block < 64 ? all & ((<u64>1 << <u64>(end - block)) - 1) : all;
}

/** The end of the line's text: before a `\r` that precedes the line's end. */
@inline
function textEnd(start: usize, end: usize): usize {
  return end > start && load<u8>(end - 1) === RETURN ? end - 1 : end;
}

/**
 * Entries of the lines from `at` to `end`, without their `\n` or `\r\n`; the last needs none. At
 * most `room` of them. Returns their number; `result`: u32 where to continue. Up to 64 bytes after
 * `end` are read.
 */
export function lineEntries(at: usize, end: usize, into: usize, room: u32, result: usize): u32 {
  const newline = i8x16.splat(NEWLINE);
  let entry = into;
  const last = into + <usize>(room * ENTRY_BYTES);
  let start = at;
  for (let block = at; block < end; block += 64) {
    let ends = places(block, end, newline);
    while (ends !== 0) {
      if (entry === last) {
        store<u32>(result, <u32>start);
        return room;
      }
      const place = block + <usize>ctz(ends);
      ends &= ends - 1;
      setEntry(entry, start, <u32>(textEnd(start, place) - start));
      store<u64>(entry, 0, 16);
      entry += ENTRY_BYTES;
      start = place + 1;
    }
  }
  if (start < end && entry < last) {
    // The file's last line, which has no end.
    setEntry(entry, start, <u32>(end - start));
    store<u64>(entry, 0, 16);
    entry += ENTRY_BYTES;
    start = end;
  }
  store<u32>(result, <u32>start);
  return <u32>(entry - into) / ENTRY_BYTES;
}

/** The number of lines from `at` to `end`. */
export function countLines(at: usize, end: usize): u32 {
  const newline = i8x16.splat(NEWLINE);
  let lines: u32 = 0;
  for (let block = at; block < end; block += 64) {
    lines += <u32>popcnt(places(block, end, newline));
  }
  return at < end && load<u8>(end - 1) !== NEWLINE ? lines + 1 : lines;
}

/** The first `\n` at or after `at`, or `end`. */
@inline
function lineEnd(at: usize, end: usize, newline: v128): usize {
  for (let block = at; block < end; block += 16) {
    const found = <u32>i8x16.bitmask(i8x16.eq(v128.load(block), newline));
    if (found !== 0) return min(end, block + <usize>ctz(found));
  }
  return end;
}

/**
 * The first place from `at` on where the literal occurs before `end`, or `end`: searches for its
 * rarest two bytes (`first` and `second` from its start), 16 places at once.
 */
@inline
function find(at: usize, end: usize, literal: usize, bytes: u32, first: u32, second: u32): usize {
  const one = i8x16.splat(load<u8>(literal + first));
  const other = i8x16.splat(load<u8>(literal + second));
  const lastStart = end - bytes;
  for (let block = at; block <= lastStart; block += 32) {
    let found =
      <u32>i8x16.bitmask(
        v128.and(
          i8x16.eq(v128.load(block + first), one),
          i8x16.eq(v128.load(block + second), other),
        ),
      ) |
      (<u32>i8x16.bitmask(
        v128.and(
          i8x16.eq(v128.load(block + 16 + first), one),
          i8x16.eq(v128.load(block + 16 + second), other),
        ),
      ) <<
        16);
    while (found !== 0) {
      const place = block + <usize>ctz(found);
      found &= found - 1;
      if (place > lastStart) return end;
      if (isSame(place, literal, bytes)) return place;
    }
  }
  return end;
}

/**
 * The lines from `at` to `end` that hold the literal, which is not empty and has no `\r` or `\n`:
 * entries of at most `room` of them if `into` is not 0, else only their number. Returns their
 * number; `result`: u32 where to continue. Up to 64 bytes after `end`, and the literal's length,
 * are read.
 */
export function matchingLines(
  at: usize,
  end: usize,
  literal: usize,
  bytes: u32,
  first: u32,
  second: u32,
  into: usize,
  room: u32,
  result: usize,
): u32 {
  const newline = i8x16.splat(NEWLINE);
  let count: u32 = 0;
  let place = at;
  while (end - place >= bytes && place < end) {
    const found = find(place, end, literal, bytes, first, second);
    if (found >= end) break;
    if (into !== 0 && count === room) {
      store<u32>(result, <u32>place);
      return count;
    }
    const close = lineEnd(found + bytes, end, newline);
    if (into !== 0) {
      let start = found;
      while (start > place && load<u8>(start - 1) !== NEWLINE) start--;
      const entry = into + <usize>(count * ENTRY_BYTES);
      const stop = close < end ? textEnd(start, close) : end;
      setEntry(entry, start, <u32>(stop - start));
      store<u64>(entry, 0, 16);
    }
    count++;
    place = close + 1;
  }
  store<u32>(result, <u32>end);
  return count;
}
