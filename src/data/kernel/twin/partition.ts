import { ENTRY_BYTES, type Kernel } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { byteAt, compareBytes } from "./bytes.ts";
import { readEntry, writePartition } from "./entries.ts";

const NUMBER_TAG = 0x04;
const STRING_TAG = 0x06;

type Functions = "partitionStrings" | "partitionKeys" | "partitionNumbers" | "lowerBound";

/** `assembly/partition.ts` */
export function partitionTwin(memory: KernelMemory): Pick<Kernel, Functions> {
  const partition = (
    entries: number,
    count: number,
    partitions: number,
    keyOf: (entry: number) => readonly number[],
  ): void => {
    for (let i = 0; i < count; i++) {
      const entry = entries + i * ENTRY_BYTES;
      writePartition(memory.view, entry, hashOf(keyOf(entry)) % partitions);
    }
  };
  const keyOf = (entry: number): number[] => {
    const { key, keyBytes } = readEntry(memory.view, entry);
    return Array.from(memory.bytes.subarray(key, key + keyBytes));
  };
  return {
    partitionStrings(entries, count, partitions) {
      partition(entries, count, partitions, (entry) => {
        const escaped = keyOf(entry).flatMap((byte) => (byte === 0 ? [0, 0xff] : [byte]));
        return [STRING_TAG, ...escaped, 0];
      });
    },

    partitionKeys(entries, count, partitions) {
      partition(entries, count, partitions, keyOf);
    },

    partitionNumbers(entries, count, partitions) {
      partition(entries, count, partitions, (entry) => [
        NUMBER_TAG,
        ...Array.from({ length: 8 }, (_, i) => byteAt(memory.bytes, entry + 7 - i)),
      ]);
    },

    lowerBound(entries, count, key, keyBytes) {
      let below = 0;
      while (below < count) {
        const entry = readEntry(memory.view, entries + below * ENTRY_BYTES);
        if (compareBytes(memory.bytes, entry.key, entry.keyBytes, key, keyBytes) >= 0) break;
        below++;
      }
      return below;
    },
  };
}

/** MurmurHash3 x86_32 with seed 0: docs/formats.md. */
function hashOf(bytes: readonly number[]): number {
  let hash = 0;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash ^= scramble(word(bytes, at));
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe654_6b64;
  }
  hash ^= scramble(word(bytes, at)) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Four bytes, or those that are left. */
const word = (bytes: readonly number[], at: number): number =>
  bytes.slice(at, at + 4).reduce((so, byte, i) => so | (byte << (8 * i)), 0);

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e_2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b87_3593);
}
