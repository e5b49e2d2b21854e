/**
 * The sort moves entries, not keys.
 *
 *     u64 the key's first 8 bytes as a big-endian number   u32 key   u32 its bytes
 *     u32 payload   u32 partition
 */
import { compareBytes, firstBytes } from "./bytes";

export const ENTRY_BYTES: u32 = 24;

const BYTES: usize = 12;
const PARTITION: usize = 20;
/** A stretch of at most this length is sorted by comparing. */
const SHORT: u32 = 64;
/** In a stretch whose keys share at least this many bytes, but not all, the rest is compared. */
const DEPTH_MAX: u32 = 8 * 64;

@inline
export function setEntry(entry: usize, key: usize, bytes: u32): void {
  store<u64>(entry, firstBytes(key, bytes));
  store<u32>(entry, <u32>key, 8);
  store<u32>(entry, bytes, 12);
}

@inline
function move(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  store<u64>(to, load<u64>(from, 16), 16);
}

@inline
function moveAll(to: usize, from: usize, count: u32): void {
  memory.copy(to, from, <usize>(count * ENTRY_BYTES));
}

/**
 * Sorts by partition (at most 65536), then key bytes, a prefix first; equal keys stay in their
 * order. `scratch` has room for as many entries, `counts` for 256 u32. Returns the place of the
 * sorted entries: `entries` or `scratch`. Their first bytes are not kept if any key is longer.
 */
export function sortEntries(entries: usize, count: u32, scratch: usize, counts: usize): usize {
  const from = partEntries(entries, count, scratch, counts);
  const to = from === entries ? scratch : entries;
  let start: u32 = 0;
  while (start < count) {
    const first = from + <usize>(start * ENTRY_BYTES);
    const end = start + partitionCount(first, count - start);
    sortKeys(first, to + <usize>(start * ENTRY_BYTES), end - start, counts, 0);
    start = end;
  }
  return from;
}

/** As `sortEntries`, but by partition alone: entries of one partition stay in their order. */
export function partEntries(entries: usize, count: u32, scratch: usize, counts: usize): usize {
  let from = entries;
  let to = scratch;
  for (let digit: u32 = 0; digit < 2; digit++) {
    if (scatter(from, to, count, <u32>PARTITION + digit, counts)) {
      const other = from;
      from = to;
      to = other;
    }
  }
  return from;
}

/** The number of `count` entries, sorted by partition, in the first one's partition. */
function partitionCount(entries: usize, count: u32): u32 {
  const partition = load<u32>(entries, PARTITION);
  const last = entries + <usize>((count - 1) * ENTRY_BYTES);
  if (load<u32>(last, PARTITION) === partition) return count;
  let low: u32 = 0;
  let high = count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<u32>(entries + <usize>(middle * ENTRY_BYTES), PARTITION) === partition) low = middle;
    else high = middle;
  }
  return high;
}

/** Stable, by the byte at `digit`; false, with nothing done, if the byte is the same in all. */
function scatter(from: usize, to: usize, count: u32, digit: u32, counts: usize): bool {
  memory.fill(counts, 0, 1024);
  const end = from + <usize>(count * ENTRY_BYTES);
  for (let entry = from; entry < end; entry += ENTRY_BYTES) {
    const at = counts + (<usize>load<u8>(entry + digit) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let sum: u32 = 0;
  for (let i: usize = 0; i < 1024; i += 4) {
    const here = load<u32>(counts + i);
    if (here === count) return false;
    store<u32>(counts + i, sum);
    sum += here;
  }
  for (let entry = from; entry < end; entry += ENTRY_BYTES) {
    const place = counts + (<usize>load<u8>(entry + digit) << 2);
    const at = load<u32>(place);
    store<u32>(place, at + 1);
    move(to + <usize>(at * ENTRY_BYTES), entry);
  }
  return true;
}

/**
 * Sorts entries of one partition whose keys share their first `depth` bytes, and whose u64 has the
 * next 8: first by as many of their leading bytes as are likely to distinguish most; then, stretch
 * by stretch, the entries that these do not distinguish.
 */
function sortKeys(entries: usize, scratch: usize, count: u32, counts: usize, depth: u32): void {
  let shared = depth;
  let differing = differingBits(entries, count);
  while (count > SHORT && differing === 0) {
    // All share these 8 bytes: continue with the next.
    if (shared >= DEPTH_MAX || !anyLonger(entries, count, shared + 8)) break;
    shared += 8;
    takeBytes(entries, count, shared);
    differing = differingBits(entries, count);
  }
  if (count <= SHORT || differing === 0) {
    mergeSort(entries, scratch, 0, count, shared);
    return;
  }
  const wanted: u32 = 36 - <u32>clz<u32>(count);
  let bits: u32 = 0;
  let least: u32 = 8;
  while (least > 0 && bits < wanted) {
    least--;
    bits += <u32>popcnt<u64>((differing >> (<u64>least * 8)) & 0xff);
  }
  let from = entries;
  let to = scratch;
  for (let digit = least; digit < 8; digit++) {
    if (((differing >> (<u64>digit * 8)) & 0xff) === 0) continue;
    if (scatter(from, to, count, digit, counts)) {
      const other = from;
      from = to;
      to = other;
    }
  }
  if (from !== entries) moveAll(entries, scratch, count);
  sortStretches(entries, scratch, count, counts, shared, <u64>least * 8);
}

/** Sorts the stretches of entries that share the bits of their u64 above `shift`. */
function sortStretches(
  entries: usize,
  scratch: usize,
  count: u32,
  counts: usize,
  depth: u32,
  shift: u64,
): void {
  let start: u32 = 0;
  while (start < count) {
    const first = entries + <usize>(start * ENTRY_BYTES);
    const prefix = load<u64>(first) >> shift;
    let end = start + 1;
    for (; end < count; end++) {
      if (load<u64>(entries + <usize>(end * ENTRY_BYTES)) >> shift !== prefix) break;
    }
    if (end - start > 1) {
      if (end - start <= SHORT) mergeSort(entries, scratch, start, end, depth);
      else sortKeys(first, scratch + <usize>(start * ENTRY_BYTES), end - start, counts, depth);
    }
    start = end;
  }
}

@inline
function differingBits(entries: usize, count: u32): u64 {
  const first = load<u64>(entries);
  const end = entries + <usize>(count * ENTRY_BYTES);
  let bits: u64 = 0;
  for (let entry = entries; entry < end; entry += ENTRY_BYTES) bits |= load<u64>(entry) ^ first;
  return bits;
}

function anyLonger(entries: usize, count: u32, bytes: u32): bool {
  const end = entries + <usize>(count * ENTRY_BYTES);
  for (let entry = entries; entry < end; entry += ENTRY_BYTES) {
    if (load<u32>(entry, BYTES) > bytes) return true;
  }
  return false;
}

/** Their u64 becomes the 8 bytes from `depth` on. */
function takeBytes(entries: usize, count: u32, depth: u32): void {
  const end = entries + <usize>(count * ENTRY_BYTES);
  for (let entry = entries; entry < end; entry += ENTRY_BYTES) {
    const bytes = load<u32>(entry, BYTES);
    const key: usize = load<u32>(entry, 8);
    store<u64>(entry, bytes > depth ? firstBytes(key + depth, bytes - depth) : 0);
  }
}

/** Of keys that share their first `depth` bytes, whose u64 has the next 8. */
@inline
function comesBefore(left: usize, right: usize, depth: u32): bool {
  const a = load<u64>(left);
  const b = load<u64>(right);
  if (a !== b) return a < b;
  const leftBytes = load<u32>(left, BYTES);
  const rightBytes = load<u32>(right, BYTES);
  const bytes = min(leftBytes, rightBytes);
  const seen = depth + 8;
  if (bytes > seen) {
    const order = compareBytes(
      <usize>load<u32>(left, 8) + seen,
      <usize>load<u32>(right, 8) + seen,
      bytes - seen,
    );
    if (order !== 0) return order < 0;
  }
  return leftBytes < rightBytes;
}

/** Stable. Short stretches by insertion, longer ones by halves. */
function mergeSort(entries: usize, scratch: usize, start: u32, end: u32, depth: u32): void {
  if (end - start <= 12) {
    insertionSort(entries, scratch, start, end, depth);
    return;
  }
  const middle = start + ((end - start) >> 1);
  mergeSort(entries, scratch, start, middle, depth);
  mergeSort(entries, scratch, middle, end, depth);
  let right = entries + <usize>(middle * ENTRY_BYTES);
  if (!comesBefore(right, right - ENTRY_BYTES, depth)) return;
  let left = scratch + <usize>(start * ENTRY_BYTES);
  const leftEnd = scratch + <usize>(middle * ENTRY_BYTES);
  const rightEnd = entries + <usize>(end * ENTRY_BYTES);
  let out = entries + <usize>(start * ENTRY_BYTES);
  moveAll(left, out, middle - start);
  while (left < leftEnd) {
    if (right < rightEnd && comesBefore(right, left, depth)) {
      move(out, right);
      right += ENTRY_BYTES;
    } else {
      move(out, left);
      left += ENTRY_BYTES;
    }
    out += ENTRY_BYTES;
  }
}

function insertionSort(entries: usize, scratch: usize, start: u32, end: u32, depth: u32): void {
  const held = scratch + <usize>(start * ENTRY_BYTES);
  const least = entries + <usize>(start * ENTRY_BYTES);
  for (let i = start + 1; i < end; i++) {
    let at = entries + <usize>(i * ENTRY_BYTES);
    if (!comesBefore(at, at - ENTRY_BYTES, depth)) continue;
    move(held, at);
    while (at > least && comesBefore(held, at - ENTRY_BYTES, depth)) {
      move(at, at - ENTRY_BYTES);
      at -= ENTRY_BYTES;
    }
    move(at, held);
  }
}
