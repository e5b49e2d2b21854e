/**
 * Byte tables whose numbers are counts of words. The slots of hot words lie after the queue, one
 * for each remainder of a hash: the large table's words are scattered over the memory, while few
 * words make up most of a text. A hot word's latest counts are only there until they are settled.
 */
import { hashOf, leading16 } from "./bytes";
import {
  maskOf,
  NUMBER,
  QUEUE,
  QUEUE_BYTES,
  queueOf,
  seedOf,
  SLOT_BYTES,
  slotOf,
  slotsOf,
  TOKEN_BYTES,
  TOKEN_KEY,
  tableEntries,
  tableMove,
  tokenKey,
  touch,
} from "./byte-table";

/** 128 kB, so that the slots stay in a core's cache. */
const HOT_SLOTS: u32 = 4096;
const HOT_BYTES: usize = <usize>(HOT_SLOTS * SLOT_BYTES);

@inline
function hotOf(table: usize): usize {
  return queueOf(table) + QUEUE_BYTES;
}

/** No word is hot yet. */
export function countsInit(table: usize): void {
  memory.fill(hotOf(table), 0, HOT_BYTES);
}

/** Adds the counts of hot words to those of the table, which has all of them. */
function settle(table: usize): void {
  const hot = hotOf(table);
  const slots = slotsOf(table);
  const mask = maskOf(table);
  for (let from = hot; from < hot + HOT_BYTES; from += SLOT_BYTES) {
    const count = load<u64>(from, NUMBER);
    if (count === 0) continue;
    const slot = slotOf(table, from, slots, mask, false);
    store<u64>(slot, load<u64>(slot, NUMBER) + count, NUMBER);
    store<u64>(from, 0, NUMBER);
  }
}

/**
 * Moves all words, and chooses the hot ones again: the most frequent of the words that share a
 * slot.
 */
export function countsMove(from: usize, to: usize): void {
  settle(from);
  tableMove(from, to);
  countsInit(to);
  const hot = hotOf(to);
  const first = slotsOf(from);
  const end = first + <usize>((maskOf(from) + 1) * SLOT_BYTES);
  for (let slot = first; slot < end; slot += SLOT_BYTES) {
    // A longer word's slot holds its place in the arena, so it matches no other.
    if (load<u32>(slot) === 0 || load<u32>(slot, 4) > 16) continue;
    const place = hot + <usize>((load<u32>(slot) & (HOT_SLOTS - 1)) * SLOT_BYTES);
    if (load<u64>(place, NUMBER) >= load<u64>(slot, NUMBER)) continue;
    v128.store(place, v128.load(slot));
    v128.store(place, v128.load(slot, 16), 16);
  }
  for (let i: usize = 0; i < HOT_BYTES; i += SLOT_BYTES) store<u64>(hot + i, 0, NUMBER);
}

/** As `tableEntries`. */
export function countsEntries(table: usize, into: usize): u32 {
  settle(table);
  return tableEntries(table, into);
}

/** Queues the word, unless it is hot: then `by` is added. Returns the number queued. */
@inline
function take(
  queue: usize,
  queued: u32,
  hot: usize,
  word: usize,
  bytes: u32,
  seed: u32,
  by: u64,
): u32 {
  const key = leading16(word, bytes);
  const hash = hashOf(key, word, bytes, seed);
  const wanted = <u64>hash | (<u64>bytes << 32);
  const token = queue + <usize>(queued * TOKEN_BYTES);
  store<u64>(token, wanted);
  v128.store(token, key, 8);
  store<u32>(token, <u32>word, TOKEN_KEY);
  const slot = hot + <usize>((hash & (HOT_SLOTS - 1)) * SLOT_BYTES);
  const isOther = v128.any_true(v128.xor(v128.load(slot, 8), key));
  // Without a branch, since the next word is unpredictable.
  const isCold: u32 = (load<u64>(slot) !== wanted ? 1 : 0) | (isOther ? 1 : 0);
  store<u64>(slot, load<u64>(slot, NUMBER) + (by & (<u64>isCold - 1)), NUMBER);
  return queued + isCold;
}

/** Counts queued words. Returns the first word for which there is no room; 0 if there is none. */
@inline
function countQueued(table: usize, queue: usize, count: u32, slots: usize, mask: u32): usize {
  touch(queue, count, slots, mask);
  for (let i: u32 = 0; i < count; i++) {
    const token = queue + <usize>(i * TOKEN_BYTES);
    const slot = slotOf(table, token, slots, mask, true);
    if (slot === 0) return tokenKey(token);
    store<u64>(slot, load<u64>(slot, NUMBER) + 1, NUMBER);
  }
  return 0;
}

/**
 * Counts the words from `at` to `end`: runs of bytes above 0x20. Up to 64 bytes after `end` are
 * read and ignored. Returns `end` or, if there is no room, where to continue.
 */
export function countWords(table: usize, at: usize, end: usize): usize {
  return countRange(table, at, end, COUNTED);
}

/** The number added for each word. */
const COUNTED: u64 = 1;
/**
 * Takes back the counts of hot words that are counted again later; queued words were not counted.
 */
const TAKEN_BACK: u64 = <u64>-1;

function countRange(table: usize, at: usize, end: usize, by: u64): usize {
  const queue = queueOf(table);
  const slots = slotsOf(table);
  const mask = maskOf(table);
  const seed = seedOf(table);
  const hot = hotOf(table);
  const space = i8x16.splat(0x21);
  let queued: u32 = 0;
  let inWord: u64 = 0;
  let start: usize = at;
  for (let block = at; block < end; block += 64) {
    let words = ~(
      separators(block, space) |
      (separators(block + 16, space) << 16) |
      (separators(block + 32, space) << 32) |
      (separators(block + 48, space) << 48)
    );
    if (end - block < 64) words &= (<u64>1 << <u64>(end - block)) - 1;
    const behind = (words << 1) | inWord;
    let starts = words & ~behind;
    let ends = behind & ~words;
    inWord = words >> 63;
    while (ends !== 0) {
      const place = block + <usize>ctz(ends);
      ends &= ends - 1;
      // The first start is that of the previous word, if it continues into this block.
      const next = block + <usize>ctz(starts);
      if (next < place) {
        start = next;
        starts &= starts - 1;
      }
      queued = take(queue, queued, hot, start, <u32>(place - start), seed, by);
      if (queued === QUEUE) {
        if (by === COUNTED) {
          const full = countQueued(table, queue, queued, slots, mask);
          if (full !== 0) return takeBack(table, full, place);
        }
        queued = 0;
      }
    }
    if (starts !== 0) start = block + <usize>ctz(starts);
  }
  if (inWord !== 0) {
    queued = take(queue, queued, hot, start, <u32>(end - start), seed, by);
  }
  if (by !== COUNTED) return end;
  const full = countQueued(table, queue, queued, slots, mask);
  return full !== 0 ? takeBack(table, full, end) : end;
}

/** `at` is where to continue, as if none of the words from there to `end` had been read. */
function takeBack(table: usize, at: usize, end: usize): usize {
  countRange(table, at, end, TAKEN_BACK);
  return at;
}

@inline
function separators(at: usize, space: v128): u64 {
  return <u64>(<u32>i8x16.bitmask(i8x16.lt_u(v128.load(at), space)));
}
