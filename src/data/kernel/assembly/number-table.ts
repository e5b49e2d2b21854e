/**
 * A table from numbers (8 bytes each: `numberKey`) to the order in which they were added. Open
 * addressing, at most half full.
 *
 *     header  u32 slots   u32 mask   u32 size
 *     slot    u64 key   u32 its place among all + 1 (0: empty)   u32 -
 */
import { ENTRY_BYTES } from "./entries";
import { numberKey } from "./values";

const SLOT_BYTES: u32 = 16;
const QUEUE: u32 = 64;
const MISSING: u32 = 0xffffffff;

const SLOTS: usize = 0;
const MASK: usize = 4;
const SIZE: usize = 8;
const ID: usize = 8;

/** `slotCount`: a power of two; the slots' memory must be zero. */
export function numbersInit(table: usize, slots: usize, slotCount: u32): void {
  store<u32>(table, <u32>slots, SLOTS);
  store<u32>(table, slotCount - 1, MASK);
  store<u32>(table, 0, SIZE);
}

export function numbersSize(table: usize): u32 {
  return load<u32>(table, SIZE);
}

@inline
function hashOf(key: u64): u32 {
  const mixed = (key ^ (key >> 32)) * 0x9e3779b97f4a7c15;
  // The first bits are the best mixed: the other bits alone let some steps cluster.
  return <u32>(mixed >> 32) ^ <u32>(mixed >> 47);
}

/** Turns f64 into the keys of these numbers, in place. */
export function numberKeys(cells: usize, count: u32): void {
  const end = cells + <usize>(count * 8);
  for (let cell = cells; cell < end; cell += 8) store<u64>(cell, numberKey(load<f64>(cell)));
}

/**
 * The place of each key among all, in the order of first occurrence; adds new keys. `keys`: u64
 * each; `ids`: u32 each. Returns the number of keys; fewer if there is no room.
 */
export function groupNumbers(table: usize, keys: usize, count: u32, ids: usize): u32 {
  const slots: usize = load<u32>(table, SLOTS);
  const mask = load<u32>(table, MASK);
  let size = load<u32>(table, SIZE);
  for (let from: u32 = 0; from < count; from += QUEUE) {
    const until = min(from + QUEUE, count);
    touch(slots, mask, keys, ids, from, until);
    for (let i = from; i < until; i++) {
      const key = load<u64>(keys + <usize>(i * 8));
      let at = hashOf(key) & mask;
      while (true) {
        const slot = slots + <usize>(at * SLOT_BYTES);
        const id = load<u32>(slot, ID);
        if (id === 0) {
          if (size * 2 > mask) {
            store<u32>(table, size, SIZE);
            return i;
          }
          store<u64>(slot, key);
          store<u32>(slot, ++size, ID);
          store<u32>(ids + <usize>(i * 4), size - 1);
          break;
        }
        if (load<u64>(slot) === key) {
          store<u32>(ids + <usize>(i * 4), id - 1);
          break;
        }
        at = (at + 1) & mask;
      }
    }
  }
  store<u32>(table, size, SIZE);
  return count;
}

/** Prefetches slots; stores what it loads in `ids`, so that the compiler keeps the loads. */
@inline
function touch(slots: usize, mask: u32, keys: usize, ids: usize, from: u32, until: u32): void {
  for (let i = from; i < until; i++) {
    const at = hashOf(load<u64>(keys + <usize>(i * 8))) & mask;
    store<u32>(ids + <usize>(i * 4), load<u32>(slots + <usize>(at * SLOT_BYTES), ID));
  }
}

/** As `groupNumbers`, but adds no key: 0xffffffff for a missing one. */
export function findNumbers(table: usize, keys: usize, count: u32, ids: usize): void {
  const slots: usize = load<u32>(table, SLOTS);
  const mask = load<u32>(table, MASK);
  for (let from: u32 = 0; from < count; from += QUEUE) {
    const until = min(from + QUEUE, count);
    touch(slots, mask, keys, ids, from, until);
    for (let i = from; i < until; i++) {
      const key = load<u64>(keys + <usize>(i * 8));
      let at = hashOf(key) & mask;
      let id: u32 = 0;
      while (true) {
        const slot = slots + <usize>(at * SLOT_BYTES);
        id = load<u32>(slot, ID);
        if (id === 0 || load<u64>(slot) === key) break;
        at = (at + 1) & mask;
      }
      store<u32>(ids + <usize>(i * 4), id === 0 ? MISSING : id - 1);
    }
  }
}

/** Moves the contents of `from` into `to`, which is empty and has room. */
export function numbersMove(from: usize, to: usize): void {
  const mask = load<u32>(to, MASK);
  const target: usize = load<u32>(to, SLOTS);
  const first: usize = load<u32>(from, SLOTS);
  const end = first + <usize>((load<u32>(from, MASK) + 1) * SLOT_BYTES);
  for (let slot = first; slot < end; slot += SLOT_BYTES) {
    if (load<u32>(slot, ID) === 0) continue;
    let at = hashOf(load<u64>(slot)) & mask;
    while (load<u32>(target + <usize>(at * SLOT_BYTES), ID) !== 0) at = (at + 1) & mask;
    v128.store(target + <usize>(at * SLOT_BYTES), v128.load(slot));
  }
  store<u32>(to, load<u32>(from, SIZE), SIZE);
}

/**
 * Unordered entries of all keys: the key is the u64 itself. Each has its place among all; there is
 * room for one more.
 */
export function numberEntries(table: usize, into: usize): u32 {
  const first: usize = load<u32>(table, SLOTS);
  const end = first + <usize>((load<u32>(table, MASK) + 1) * SLOT_BYTES);
  let entry = into;
  for (let slot = first; slot < end; slot += SLOT_BYTES) {
    const id = load<u32>(slot, ID);
    // Writes empty slots too: see `tableEntries`.
    store<u64>(entry, load<u64>(slot));
    store<u32>(entry, 0, 8);
    store<u32>(entry, 8, 12);
    store<u64>(entry, <u64>(id - 1), 16);
    entry += id === 0 ? 0 : ENTRY_BYTES;
  }
  return <u32>(entry - into) / ENTRY_BYTES;
}
