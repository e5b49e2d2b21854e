import type { TableLayout } from "./growing-table.ts";
import { HEADER_BYTES, type Kernel, QUEUE_BYTES, SLOT_BYTES } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";

/** Bytes of the arena per slot, for keys too long for a slot. */
const ARENA_PER_SLOT = 8;

/** Drawn per thread, so that no input can be crafted whose keys all share one slot. */
export const HASH_SEED = Math.trunc(Math.random() * 2 ** 32);

/** How to read the bytes of keys: as strings, or as whole keys in their encoding. */
export type ByteKeys = "plain" | "encoded";

/**
 * Tables of byte strings: `assembly/byte-table.ts`. `behindQueue`: bytes to leave free after the
 * queue.
 */
export function byteKeys(
  kernel: Kernel,
  memory: KernelMemory,
  seed: number,
  keys: ByteKeys,
  behindQueue = 0,
): Omit<TableLayout, "entries"> {
  const partition = keys === "plain" ? kernel.partitionStrings : kernel.partitionKeys;
  const fixedBytes = HEADER_BYTES + QUEUE_BYTES + behindQueue;
  return {
    fullest: 7 / 8,
    bytes: (slots) => fixedBytes + slots * (SLOT_BYTES + ARENA_PER_SLOT),

    init(table, slots) {
      const queue = table + HEADER_BYTES;
      const slotsAt = table + fixedBytes;
      const arena = slotsAt + slots * SLOT_BYTES;
      memory.bytes.fill(0, slotsAt, arena);
      kernel.tableInit(table, slotsAt, slots, arena, slots * ARENA_PER_SLOT, queue, seed);
    },

    move: kernel.tableMove,
    size: kernel.tableSize,
    partition,
  };
}
