/**
 * Bins hold lines by the first bytes of their text: the lines of a bin in the order in which they
 * came, and all lines of a bin sort before those of the next. A bin is small enough to be sorted
 * and written in order within the cache.
 *
 *     u32 the next chunk's place   u32 where there is no more room for chunks
 *     u32 bytes of a chunk
 *     u32 n, of 2^n bins
 *     for each bin but the first: u64 the least first 8 bytes, as an entry has them; u64 unused
 *     for each bin: u32 its first chunk   u32 its last one, 0 if there is none   u32 where the next
 *     line goes   u32 the last chunk's end   u32 its lines   u32 unused
 *     32 entries, for the kernel to use
 *
 * A chunk holds whole lines with their ends: u32 the next chunk, u32 the end of its lines, its
 * lines. A chunk with a very long line is as long as that line needs.
 */
import { copy, OVERSHOOT } from "./bytes";
import { ENTRY_BYTES } from "./entries";
import { lineEntries } from "./lines";

const END: usize = 4;
const CHUNK_BYTES: usize = 8;
const BITS: usize = 12;
const HEADER_BYTES: usize = 16;

const BIN_BYTES: u32 = 24;
const LAST: usize = 4;
const AT: usize = 8;
const LAST_END: usize = 12;
const LINES: usize = 16;

const CHUNK_HEADER_BYTES: u32 = 8;
const LINES_END: usize = 4;

@inline
function binAt(bins: usize, index: u32): usize {
  return bins + HEADER_BYTES + (<usize>8 << load<u32>(bins, BITS)) + <usize>(index * BIN_BYTES);
}

/** Without a branch, since the half is unpredictable. */
@inline
function binOf(bins: usize, first: u64): u32 {
  const splitters = bins + HEADER_BYTES;
  let bin: u32 = 0;
  for (let half: u32 = (1 << load<u32>(bins, BITS)) >> 1; half > 0; half >>= 1) {
    const splitter = load<u64>(splitters + (<usize>(bin + half - 1) << 3));
    bin += half * <u32>(splitter <= first);
  }
  return bin;
}

/** The place for the line in a new chunk of the bin; 0 if there is no room for a chunk. */
function addChunk(bins: usize, bin: usize, bytes: u32): usize {
  const chunk: usize = load<u32>(bins);
  const least = (<usize>(CHUNK_HEADER_BYTES + bytes) + OVERSHOOT + 63) & ~63;
  const end = chunk + max<usize>(least, load<u32>(bins, CHUNK_BYTES));
  if (end > <usize>load<u32>(bins, END)) return 0;
  store<u32>(bins, <u32>end);
  const last: usize = load<u32>(bin, LAST);
  if (last === 0) {
    store<u32>(bin, <u32>chunk);
  } else {
    store<u32>(last, <u32>chunk);
    store<u32>(last, load<u32>(bin, AT), LINES_END);
  }
  store<u32>(bin, <u32>chunk, LAST);
  store<u32>(bin, <u32>end, LAST_END);
  return chunk + CHUNK_HEADER_BYTES;
}

/** Lines that are placed together: see `touch`. */
const BATCH: u32 = 32;

/** Gives each line its bin, in the place of what belongs to it. */
@inline
function chooseBins(bins: usize, lines: usize, count: u32): void {
  const end = lines + <usize>(count * ENTRY_BYTES);
  for (let line = lines; line < end; line += ENTRY_BYTES) {
    store<u32>(line, <u32>binAt(bins, binOf(bins, load<u64>(line))), 16);
  }
}

/**
 * Prefetches the places where lines go: each is in another bin, and waiting for them one by one
 * would cost more than all else. Returns what it loads, so that the compiler keeps the loads.
 */
@inline
function touch(lines: usize, count: u32): u32 {
  const end = lines + <usize>(count * ENTRY_BYTES);
  let sum: u32 = 0;
  for (let line = lines; line < end; line += ENTRY_BYTES) {
    const bin: usize = load<u32>(line, 16);
    const to = load<u32>(bin, AT);
    const last = load<u32>(bin, LAST_END);
    sum += load<u8>(min(to + 64, last)) + load<u8>(min(to + 128, last));
  }
  return sum;
}

/** False if there is no room for the line. */
@inline
function putLine(bins: usize, linesMax: u32, bin: usize, start: usize, next: usize): bool {
  const lines = load<u32>(bin, LINES);
  if (lines >= linesMax) return false;
  const bytes = <u32>(next - start);
  let to: usize = load<u32>(bin, AT);
  if (to + bytes + OVERSHOOT > <usize>load<u32>(bin, LAST_END)) {
    to = addChunk(bins, bin, bytes);
    if (to === 0) return false;
  }
  copy(to, start, bytes);
  store<u32>(bin, <u32>to + bytes, AT);
  store<u32>(bin, lines + 1, LINES);
  return true;
}

/**
 * Puts the lines from `at` to `end` into bins, as long as there is room and no bin exceeds
 * `linesMax`. Returns the number of lines; `result`: u32 where to continue. Up to 64 bytes after
 * `end` are read.
 */
export function binLines(at: usize, end: usize, bins: usize, linesMax: u32, result: usize): u32 {
  const batch = binAt(bins, 1 << load<u32>(bins, BITS));
  let put: u32 = 0;
  for (let start = at; start < end; ) {
    const count = lineEntries(start, end, batch, BATCH, result);
    const batchEnd: usize = load<u32>(result);
    chooseBins(bins, batch, count);
    store<u32>(result, touch(batch, count), 4);
    for (let i: u32 = 0; i < count; i++) {
      const line = batch + <usize>(i * ENTRY_BYTES);
      const next = i + 1 < count ? <usize>load<u32>(line + ENTRY_BYTES, 8) : batchEnd;
      if (!putLine(bins, linesMax, load<u32>(line, 16), start, next)) {
        store<u32>(result, <u32>start);
        return put;
      }
      put++;
      start = next;
    }
  }
  store<u32>(result, <u32>end);
  return put;
}

/** The number of lines in a bin. */
export function binSize(bins: usize, index: u32): u32 {
  return load<u32>(binAt(bins, index), LINES);
}

/** Entries of all lines of a bin, in the order in which they came. `result` is for it to use. */
export function binEntries(bins: usize, index: u32, into: usize, result: usize): void {
  const bin = binAt(bins, index);
  const last: usize = load<u32>(bin, LAST);
  let left = load<u32>(bin, LINES);
  let entry = into;
  for (let chunk: usize = load<u32>(bin); left > 0; chunk = load<u32>(chunk)) {
    const end: usize = chunk === last ? load<u32>(bin, AT) : load<u32>(chunk, LINES_END);
    const lines = lineEntries(chunk + CHUNK_HEADER_BYTES, end, entry, left, result);
    entry += <usize>(lines * ENTRY_BYTES);
    left -= lines;
  }
}

/** Makes all bins empty; chunks are made from `at` on. */
export function binsClear(bins: usize, at: usize): void {
  store<u32>(bins, <u32>at);
  const all = binAt(bins, 0);
  memory.fill(all, 0, <usize>BIN_BYTES << load<u32>(bins, BITS));
}
