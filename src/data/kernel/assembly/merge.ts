/**
 * Merges sorted runs. For each run, memory holds a window of whole records:
 *
 *     cursor  u32 at   u32 end   u32 1 if nothing comes after the window   u32 key   u32 its bytes
 *             u32 its record's end   u64 the key's first 8 bytes   u32 a place of the heap
 */
import { compareBytes, firstBytes } from "./bytes";
import { ENTRY_BYTES } from "./entries";
import { varint, varintEnd } from "./varint";

export const CURSOR_BYTES: u32 = 40;

const END: usize = 4;
const IS_LAST: usize = 8;
const KEY: usize = 12;
const BYTES: usize = 16;
const RECORD_END: usize = 20;
const FIRST: usize = 24;
const HEAP: usize = 32;

@inline
function cursorAt(cursors: usize, index: u32): usize {
  return cursors + <usize>(index * CURSOR_BYTES);
}

@inline
function heapAt(cursors: usize, place: u32): usize {
  return load<u32>(cursorAt(cursors, place), HEAP);
}

/** Reads the record at the cursor's place; skips `skip` bytes of its key. */
@inline
function look(cursor: usize, skip: u32): void {
  const at: usize = load<u32>(cursor);
  const keyBytes = varint(at);
  const sizes = varintEnd(at);
  const key = varintEnd(sizes);
  store<u32>(cursor, <u32>(key + skip), KEY);
  store<u32>(cursor, keyBytes - skip, BYTES);
  store<u32>(cursor, <u32>(key + keyBytes) + varint(sizes), RECORD_END);
  store<u64>(cursor, firstBytes(key + skip, keyBytes - skip), FIRST);
}

/** Among equal keys, the first cursor's comes first. */
@inline
function comesBefore(left: usize, right: usize): bool {
  const a = load<u64>(left, FIRST);
  const b = load<u64>(right, FIRST);
  if (a !== b) return a < b;
  const leftBytes = load<u32>(left, BYTES);
  const rightBytes = load<u32>(right, BYTES);
  const bytes = min(leftBytes, rightBytes);
  if (bytes > 8) {
    const order = compareBytes(
      <usize>load<u32>(left, KEY) + 8,
      <usize>load<u32>(right, KEY) + 8,
      bytes - 8,
    );
    if (order !== 0) return order < 0;
  }
  return leftBytes !== rightBytes ? leftBytes < rightBytes : left < right;
}

/** Moves the cursor down from `place` to where it belongs. */
@inline
function sink(cursors: usize, size: u32, from: u32, cursor: usize): void {
  let place = from;
  while (true) {
    let child: u32 = 2 * place + 1;
    if (child >= size) break;
    if (
      child + 1 < size &&
      comesBefore(heapAt(cursors, child + 1), heapAt(cursors, child))
    ) {
      child++;
    }
    const below = heapAt(cursors, child);
    if (!comesBefore(below, cursor)) break;
    store<u32>(cursorAt(cursors, place), <u32>below, HEAP);
    place = child;
  }
  store<u32>(cursorAt(cursors, place), <u32>cursor, HEAP);
}

/**
 * Entries of the records of `count` runs, sorted by key after its first `skip` bytes, which all
 * share, then by run; each with its record. At most `room`, and not beyond a window after which
 * more comes. Returns their number; `result`: u32 the first run whose window is exhausted though
 * more comes, or `count`.
 */
export function mergeEntries(
  cursors: usize,
  count: u32,
  skip: u32,
  into: usize,
  room: u32,
  result: usize,
): u32 {
  let size: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const cursor = cursorAt(cursors, i);
    if (load<u32>(cursor) < load<u32>(cursor, END)) {
      look(cursor, skip);
      store<u32>(cursorAt(cursors, size++), <u32>cursor, HEAP);
    } else if (load<u32>(cursor, IS_LAST) === 0) {
      store<u32>(result, i);
      return 0;
    }
  }
  for (let i = size >> 1; i > 0; i--) sink(cursors, size, i - 1, heapAt(cursors, i - 1));
  let made: u32 = 0;
  let dry = count;
  while (size > 0 && made < room) {
    const cursor = heapAt(cursors, 0);
    const entry = into + <usize>(made++ * ENTRY_BYTES);
    store<u64>(entry, load<u64>(cursor, FIRST));
    store<u64>(entry, load<u64>(cursor, KEY), 8);
    store<u64>(entry, <u64>load<u32>(cursor), 16);
    const next = load<u32>(cursor, RECORD_END);
    store<u32>(cursor, next);
    if (next < load<u32>(cursor, END)) {
      look(cursor, skip);
      sink(cursors, size, 0, cursor);
    } else if (load<u32>(cursor, IS_LAST) !== 0) {
      size--;
      if (size > 0) sink(cursors, size, 0, heapAt(cursors, size));
    } else {
      dry = <u32>(cursor - cursors) / CURSOR_BYTES;
      break;
    }
  }
  store<u32>(result, dry);
  return made;
}

/**
 * For entries in order, each with its record: `ids`, u32 each, numbers their keys from 0; `values`
 * has the u32 place of each value. Returns the number of keys.
 */
export function equalKeys(entries: usize, count: u32, ids: usize, values: usize): u32 {
  let id: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + <usize>(i * ENTRY_BYTES);
    const key: usize = load<u32>(entry, 8);
    const bytes = load<u32>(entry, 12);
    if (i > 0) {
      const before = entry - ENTRY_BYTES;
      const isNew =
        load<u32>(before, 12) !== bytes || compareBytes(load<u32>(before, 8), key, bytes) !== 0;
      if (isNew) id++;
    }
    store<u32>(ids + <usize>(i * 4), id);
    store<u32>(values + <usize>(i * 4), <u32>key + bytes);
  }
  return count === 0 ? 0 : id + 1;
}

/**
 * For entries whose keys `equalKeys` has numbered: moves the first of each key to the front, with
 * its key's number as payload. Returns the number of keys.
 */
export function firstOfEach(entries: usize, count: u32, ids: usize): u32 {
  let keys: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(ids + <usize>(i * 4)) !== keys) continue;
    const from = entries + <usize>(i * ENTRY_BYTES);
    const to = entries + <usize>(keys * ENTRY_BYTES);
    v128.store(to, v128.load(from));
    store<u64>(to, load<u64>(from, 16), 16);
    store<u32>(to, keys++, 16);
  }
  return keys;
}
