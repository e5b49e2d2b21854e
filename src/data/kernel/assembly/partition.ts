import { compareKeys, leading, zeros } from "./bytes";
import { ENTRY_BYTES } from "./entries";

/** MurmurHash3 x86_32 of a sequence of bytes: docs/internals/formats.md. */
@inline
function scramble(word: u32): u32 {
  return rotl<u32>(word * 0xcc9e2d51, 15) * 0x1b873593;
}

/**
 * Gives each entry of a plain string its partition: the hash of the key as it is encoded (`06`, its
 * bytes with each zero as `00 ff`, `00`), modulo `partitions`.
 */
export function partitionStrings(entries: usize, count: u32, partitions: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + <usize>(i * ENTRY_BYTES);
    const key: usize = load<u32>(entry, 8);
    const bytes = load<u32>(entry, 12);
    const hash = zeros(key, bytes) === 0 ? hashOfText(key, bytes) : hashOfString(key, bytes);
    store<u32>(entry, hash % partitions, 20);
  }
}

/** The same for encoded keys. */
export function partitionKeys(entries: usize, count: u32, partitions: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + <usize>(i * ENTRY_BYTES);
    const hash = hashOfBytes(load<u32>(entry, 8), load<u32>(entry, 12));
    store<u32>(entry, hash % partitions, 20);
  }
}

/**
 * The same for numbers, which are in their entries: `04`, then the u64's bytes, the greatest first.
 */
export function partitionNumbers(entries: usize, count: u32, partitions: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + <usize>(i * ENTRY_BYTES);
    const bytes = bswap<u64>(load<u64>(entry));
    let hash = mix(0, 0x04 | (<u32>bytes << 8));
    hash = mix(hash, <u32>(bytes >> 24));
    store<u32>(entry, finish(hash ^ scramble(<u32>(bytes >> 56)), 9) % partitions, 20);
  }
}

@inline
function mix(hash: u32, word: u32): u32 {
  return rotl<u32>(hash ^ scramble(word), 13) * 5 + 0xe6546b64;
}

@inline
function finish(mixed: u32, bytes: u32): u32 {
  let hash = mixed ^ bytes;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
  return hash ^ (hash >> 16);
}

function hashOfBytes(key: usize, bytes: u32): u32 {
  let hash: u32 = 0;
  let i: u32 = 0;
  for (; i + 4 <= bytes; i += 4) hash = mix(hash, load<u32>(key + i));
  const rest = bytes - i;
  const word = rest === 0 ? 0 : load<u32>(key + i) & ((1 << (8 * rest)) - 1);
  return finish(hash ^ scramble(word), bytes);
}

/** Of a string without zeros: `06`, its bytes, `00`. */
@inline
function hashOfText(key: usize, bytes: u32): u32 {
  const length = bytes + 2;
  if (bytes < 3) {
    const word = 0x06 | (<u32>leading(key, bytes) << 8);
    return finish(bytes === 2 ? mix(0, word) : scramble(word), length);
  }
  let hash = mix(0, 0x06 | (load<u32>(key) << 8));
  let i: u32 = 3;
  for (; i + 4 <= bytes; i += 4) hash = mix(hash, load<u32>(key + i));
  const rest = bytes - i;
  const word = <u32>leading(key + i, rest);
  // The end is a zero byte, which only adds to the length.
  return finish(rest === 3 ? mix(hash, word) : hash ^ scramble(word), length);
}

/** The same with each zero as `00 ff`. */
function hashOfString(key: usize, bytes: u32): u32 {
  let hash: u32 = 0;
  // Four bytes gather in `word`.
  let word: u32 = 0x06;
  let held: u32 = 1;
  let length: u32 = bytes + 2;
  for (let i: u32 = 0; i < bytes; i++) {
    const byte: u32 = load<u8>(key + i);
    word |= byte << (8 * held);
    if (++held === 4) {
      hash = mix(hash, word);
      word = 0;
      held = 0;
    }
    if (byte === 0) {
      length++;
      word |= 0xff << (8 * held);
      if (++held === 4) {
        hash = mix(hash, word);
        word = 0;
        held = 0;
      }
    }
  }
  // The end is a zero byte, which only adds to the length.
  if (++held === 4) {
    hash = mix(hash, word);
    word = 0;
  }
  return finish(hash ^ scramble(word), length);
}

/**
 * The number of sorted entries before the splitter, a key as plain bytes: where its partition
 * begins.
 */
export function lowerBound(entries: usize, count: u32, key: usize, bytes: u32): u32 {
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries + <usize>(middle * ENTRY_BYTES);
    const order = compareKeys(load<u32>(entry, 8), load<u32>(entry, 12), key, bytes);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
