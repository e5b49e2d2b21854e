import { assert } from "../../base/assert.ts";
import { COUNTS_BYTES, ENTRY_BYTES } from "../kernel/kernel.ts";
import type { Workspace } from "./workspace.ts";

/** Entries in a workspace's memory: see `src/data/kernel/assembly/entries.ts`. */
export interface Entries {
  readonly at: number;
  readonly count: number;
}

export const NO_ENTRIES: Entries = { at: 0, count: 0 };

/** The bytes that sorting `count` entries takes, besides the bytes that they point to. */
export const sortingBytes = (count: number): number => 2 * count * ENTRY_BYTES + COUNTS_BYTES + 256;

/** Offsets of an entry's fields. */
const KEY = 8;
const KEY_BYTES = 12;
const PAYLOAD = 16;
const PARTITION = 20;

export const keyOf = ({ memory }: Workspace, entry: number): number =>
  memory.view.getUint32(entry + KEY, true);

export const keyBytesOf = ({ memory }: Workspace, entry: number): number =>
  memory.view.getUint32(entry + KEY_BYTES, true);

export const payloadOf = ({ memory }: Workspace, entry: number): number =>
  memory.view.getUint32(entry + PAYLOAD, true);

export const partitionOf = ({ memory }: Workspace, entry: number): number =>
  memory.view.getUint32(entry + PARTITION, true);

export function setPartition({ memory }: Workspace, entry: number, partition: number): void {
  memory.view.setUint32(entry + PARTITION, partition, true);
}

/** Sorts entries by partition, then key; there must be room for `sortingBytes`. */
export function sorted(space: Workspace, { at, count }: Entries): Entries {
  const { memory, kernel } = space;
  const mark = memory.used;
  const scratch = space.take(count * ENTRY_BYTES);
  const counts = space.take(COUNTS_BYTES);
  const sortedAt = kernel.sortEntries(at, count, scratch, counts);
  // The sorted entries may be in the scratch, which keeps its contents until the next `take`.
  memory.release(sortedAt === at ? mark : counts);
  assert(sortedAt === at || sortedAt === scratch, "sorted entries are where they may be");
  return { at: sortedAt, count };
}

/** The end of the stretch of entries in the first one's partition, sorted. */
export function partitionEnd(space: Workspace, { at, count }: Entries): number {
  const partition = partitionOf(space, at);
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (partitionOf(space, at + middle * ENTRY_BYTES) === partition) low = middle;
    else high = middle;
  }
  return high;
}
