import type { Key } from "./key.ts";
import { encodeKey } from "./key-bytes.ts";

/**
 * MurmurHash3 x86_32 with seed 0 (Austin Appleby, public domain), from 0 to 2^32 - 1. Partitions
 * depend on it, so it never changes.
 */
export function hashBytes(bytes: Uint8Array): number {
  let hash = 0;
  const { length } = bytes;
  const blocksEnd = length & ~3;
  for (let i = 0; i < blocksEnd; i += 4) {
    hash ^= scramble(fourBytes(bytes, i, 4));
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe654_6b64;
  }
  hash ^= scramble(fourBytes(bytes, blocksEnd, length - blocksEnd));
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The hash of the key's bytes, which a job's own `partition` may use. */
export const hashKey = (key: Key): number => hashBytes(encodeKey(key));

/** Little-endian. */
function fourBytes(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let i = 0; i < count; i++) word |= (bytes[at + i] ?? 0) << (8 * i);
  return word;
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e_2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b87_3593);
}
