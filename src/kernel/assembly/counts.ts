/** Byte tables whose numbers are counts of words. */
import {
  maskOf,
  NUMBER,
  push,
  QUEUE,
  queueOf,
  seedOf,
  slotOf,
  slotsOf,
  TOKEN_BYTES,
  tokenKey,
  touch,
} from "./byte-table";

/** Counts queued words. The first for which there is no room; 0 if there is none such. */
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
 * read and not looked at. Returns `end`, or, if there is no room, where to go on.
 */
export function countWords(table: usize, at: usize, end: usize): usize {
  const queue = queueOf(table);
  const slots = slotsOf(table);
  const mask = maskOf(table);
  const seed = seedOf(table);
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
      // The first start is that of the word before, if one goes on into this block.
      const next = block + <usize>ctz(starts);
      if (next < place) {
        start = next;
        starts &= starts - 1;
      }
      const token = queue + <usize>(queued * TOKEN_BYTES);
      push(token, start, <u32>(place - start), seed);
      if (++queued === QUEUE) {
        const full = countQueued(table, queue, queued, slots, mask);
        if (full !== 0) return full;
        queued = 0;
      }
    }
    if (starts !== 0) start = block + <usize>ctz(starts);
  }
  if (inWord !== 0) {
    const token = queue + <usize>(queued * TOKEN_BYTES);
    push(token, start, <u32>(end - start), seed);
    queued++;
  }
  const full = countQueued(table, queue, queued, slots, mask);
  return full !== 0 ? full : end;
}

@inline
function separators(at: usize, space: v128): u64 {
  return <u64>(<u32>i8x16.bitmask(i8x16.lt_u(v128.load(at), space)));
}
