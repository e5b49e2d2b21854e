/**
 * A table from byte strings to numbers: how often each occurs, or its place among all. Open
 * addressing, at most seven eighths full. The table lies in memory that the caller has set aside: a
 * header, the slots, an arena for keys longer than 16 bytes, a queue.
 *
 *     header  u32 slots   u32 mask   u32 size   u32 arena   u32 arena used   u32 arena bytes
 *             u32 queue   u32 seed
 *     slot    u32 hash (0: empty)   u32 bytes of the key   u64 its first 8 bytes
 *             u64 the next 8 bytes, or, of a key longer than 16, where in the arena it lies
 *             u64 number
 */
import { copy, hashOf, isSame, leading16, OVERSHOOT } from "./bytes";
import { ENTRY_BYTES, setEntry } from "./entries";

export const SLOT_BYTES: u32 = 32;
/** The offset of a slot's number. */
export const NUMBER: usize = 24;
/** Keys that are looked up together, so that waits for memory overlap. */
export const QUEUE: u32 = 256;
/** u32 hash   u32 bytes of the key   its first 16 bytes   u32 key   u32 - */
export const TOKEN_BYTES: u32 = 32;
export const TOKEN_KEY: usize = 24;
/** The bytes of the queue, and of the area after it that `touch` may write. */
export const QUEUE_BYTES: usize = <usize>(QUEUE * TOKEN_BYTES) + 64;

const SLOTS: usize = 0;
const MASK: usize = 4;
const SIZE: usize = 8;
const ARENA: usize = 12;
const ARENA_USED: usize = 16;
const ARENA_BYTES: usize = 20;
const QUEUE_AT: usize = 24;
const SEED: usize = 28;

/** `slotCount`: a power of two; the slots' memory must be zero. */
export function tableInit(
  table: usize,
  slots: usize,
  slotCount: u32,
  arena: usize,
  arenaBytes: u32,
  queue: usize,
  seed: u32,
): void {
  store<u32>(table, <u32>slots, SLOTS);
  store<u32>(table, slotCount - 1, MASK);
  store<u32>(table, 0, SIZE);
  store<u32>(table, <u32>arena, ARENA);
  store<u32>(table, 0, ARENA_USED);
  store<u32>(table, arenaBytes, ARENA_BYTES);
  store<u32>(table, <u32>queue, QUEUE_AT);
  store<u32>(table, seed, SEED);
}

export function tableSize(table: usize): u32 {
  return load<u32>(table, SIZE);
}

@inline
export function queueOf(table: usize): usize {
  return load<u32>(table, QUEUE_AT);
}

/** The place of a slot's key; valid until the slot or the arena moves. */
@inline
function slotKey(table: usize, slot: usize): usize {
  if (load<u32>(slot, 4) <= 16) return slot + 8;
  return <usize>load<u32>(table, ARENA) + <usize>load<u64>(slot, 16);
}

@inline
export function seedOf(table: usize): u32 {
  return load<u32>(table, SEED);
}

@inline
export function slotsOf(table: usize): usize {
  return load<u32>(table, SLOTS);
}

@inline
export function maskOf(table: usize): u32 {
  return load<u32>(table, MASK);
}

@inline
export function push(token: usize, key: usize, bytes: u32, seed: u32): void {
  const first = leading16(key, bytes);
  const hash = hashOf(first, key, bytes, seed);
  store<u64>(token, <u64>hash | (<u64>bytes << 32));
  v128.store(token, first, 8);
  store<u32>(token, <u32>key, TOKEN_KEY);
}

/**
 * Prefetches the slots of queued keys, in so short a loop that many loads overlap. Stores what it
 * loads after the queue, so that the compiler keeps the loads.
 */
@inline
export function touch(queue: usize, count: u32, slots: usize, mask: u32): void {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const hash = load<u32>(queue + <usize>(i * TOKEN_BYTES));
    sum += load<u32>(slots + <usize>((hash & mask) * SLOT_BYTES));
  }
  store<u32>(queue + <usize>(QUEUE * TOKEN_BYTES), sum);
}

@inline
export function tokenKey(token: usize): usize {
  return load<u32>(token, TOKEN_KEY);
}

/** The slot of a queued key; 0 if there is no room, or the key is missing and not `made`. */
@inline
export function slotOf(table: usize, token: usize, slots: usize, mask: u32, made: bool): usize {
  const wanted = load<u64>(token);
  const first = v128.load(token, 8);
  let at = <u32>wanted & mask;
  while (true) {
    const slot = slots + <usize>(at * SLOT_BYTES);
    const found = load<u64>(slot);
    if (found === wanted) {
      if (wanted >> 32 <= 16) {
        if (!v128.any_true(v128.xor(v128.load(slot, 8), first))) return slot;
      } else if (isSame(slotKey(table, slot), tokenKey(token), <u32>(wanted >> 32))) {
        return slot;
      }
    }
    if (<u32>found === 0) return made ? makeSlot(table, slot, token) : 0;
    at = (at + 1) & mask;
  }
}

/** A new key in an empty slot, its number 0; 0 if there is no room. */
function makeSlot(table: usize, slot: usize, token: usize): usize {
  const size = load<u32>(table, SIZE);
  if (size * 8 > load<u32>(table, MASK) * 7) return 0;
  const bytes = load<u32>(token, 4);
  v128.store(slot, v128.load(token, 8), 8);
  if (bytes > 16) {
    const used = load<u32>(table, ARENA_USED);
    if (bytes + <u32>OVERSHOOT > load<u32>(table, ARENA_BYTES) - used) return 0;
    copy(<usize>load<u32>(table, ARENA) + used, tokenKey(token), bytes);
    store<u32>(table, used + bytes, ARENA_USED);
    store<u64>(slot, used, 16);
  }
  store<u64>(slot, load<u64>(token));
  store<u64>(slot, 0, NUMBER);
  store<u32>(table, size + 1, SIZE);
  return slot;
}

/**
 * The place of each key among all, in the order of first occurrence; adds new keys. `cells`: for
 * each key u32 place, u32 bytes; `ids`: u32 each. Returns the number of keys; fewer if there is no
 * room.
 */
export function groupKeys(table: usize, cells: usize, count: u32, ids: usize): u32 {
  return lookUp(table, cells, count, ids, true);
}

/** As `groupKeys`, but adds no key: 0xffffffff for a missing one. */
export function findKeys(table: usize, cells: usize, count: u32, ids: usize): void {
  lookUp(table, cells, count, ids, false);
}

@inline
function lookUp(table: usize, cells: usize, count: u32, ids: usize, make: bool): u32 {
  const queue = queueOf(table);
  const slots = slotsOf(table);
  const mask = maskOf(table);
  for (let from: u32 = 0; from < count; from += QUEUE) {
    const some = min(QUEUE, count - from);
    pushCells(queue, cells + <usize>(from * 8), some, seedOf(table));
    touch(queue, some, slots, mask);
    for (let i: u32 = 0; i < some; i++) {
      const slot = slotOf(table, queue + <usize>(i * TOKEN_BYTES), slots, mask, make);
      if (make && slot === 0) return from + i;
      let number = slot === 0 ? 0 : load<u32>(slot, NUMBER);
      // A number of 0 is a new key's.
      if (make && number === 0) {
        number = load<u32>(table, SIZE);
        store<u32>(slot, number, NUMBER);
      }
      // 0xffffffff for a missing key.
      store<u32>(ids + <usize>((from + i) * 4), number - 1);
    }
  }
  return count;
}

@inline
function pushCells(queue: usize, cells: usize, count: u32, seed: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const cell = cells + <usize>(i * 8);
    push(queue + <usize>(i * TOKEN_BYTES), load<u32>(cell), load<u32>(cell, 4), seed);
  }
}

@inline
function slotAt(table: usize, index: u32): usize {
  return slotsOf(table) + <usize>(index * SLOT_BYTES);
}

/** Moves the contents of `from` into `to`, which is empty and has room. */
export function tableMove(from: usize, to: usize): void {
  const mask = load<u32>(to, MASK);
  const used = load<u32>(from, ARENA_USED);
  memory.copy(load<u32>(to, ARENA), load<u32>(from, ARENA), used);
  const end = slotAt(from, load<u32>(from, MASK)) + SLOT_BYTES;
  for (let slot = slotAt(from, 0); slot < end; slot += SLOT_BYTES) {
    const hash = load<u32>(slot);
    if (hash === 0) continue;
    let at = hash & mask;
    while (load<u32>(slotAt(to, at)) !== 0) at = (at + 1) & mask;
    const target = slotAt(to, at);
    v128.store(target, v128.load(slot));
    v128.store(target + 16, v128.load(slot + 16));
  }
  store<u32>(to, load<u32>(from, SIZE), SIZE);
  store<u32>(to, used, ARENA_USED);
}

/**
 * Unordered entries of the table's contents, each with its slot; there is room for one more.
 * Returns their number.
 */
export function tableEntries(table: usize, into: usize): u32 {
  const end = slotAt(table, load<u32>(table, MASK)) + SLOT_BYTES;
  let entry = into;
  for (let slot = slotAt(table, 0); slot < end; slot += SLOT_BYTES) {
    // Writes empty slots too, since no processor can predict which are empty.
    const bytes = load<u32>(slot, 4);
    if (bytes <= 16) {
      store<u64>(entry, bswap<u64>(load<u64>(slot, 8)));
      store<u32>(entry, <u32>slot + 8, 8);
      store<u32>(entry, bytes, 12);
    } else {
      setEntry(entry, slotKey(table, slot), bytes);
    }
    store<u64>(entry, slot, 16);
    entry += load<u32>(slot) === 0 ? 0 : ENTRY_BYTES;
  }
  return <u32>(entry - into) / ENTRY_BYTES;
}

/** The same of a table of groups: each with its place among all. */
export function groupEntries(table: usize, into: usize): u32 {
  const count = tableEntries(table, into);
  for (let i: u32 = 0; i < count; i++) {
    const entry = into + <usize>(i * ENTRY_BYTES);
    store<u32>(entry, load<u32>(<usize>load<u32>(entry, 16), NUMBER) - 1, 16);
  }
  return count;
}
