import { ENTRY_BYTES, type Kernel } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { compareBytes, putFirstBytes } from "./bytes.ts";

const KEY = 8;
const BYTES = 12;
export const PAYLOAD = 16;
const PARTITION = 20;

interface Entry {
  readonly key: number;
  readonly keyBytes: number;
  readonly payload: number;
}

export function writeEntry({ bytes, view }: KernelMemory, at: number, entry: Entry): void {
  putFirstBytes(bytes, at, entry.key, entry.keyBytes);
  view.setUint32(at + KEY, entry.key, true);
  view.setUint32(at + BYTES, entry.keyBytes, true);
  view.setUint32(at + PAYLOAD, entry.payload, true);
  view.setUint32(at + PARTITION, 0, true);
}

export const readEntry = (view: DataView, at: number): Entry => ({
  key: view.getUint32(at + KEY, true),
  keyBytes: view.getUint32(at + BYTES, true),
  payload: view.getUint32(at + PAYLOAD, true),
});

export const readPartition = (view: DataView, at: number): number =>
  view.getUint32(at + PARTITION, true);

export function writePartition(view: DataView, at: number, partition: number): void {
  view.setUint32(at + PARTITION, partition, true);
}

/** `assembly/entries.ts` */
export function entriesTwin(memory: KernelMemory): Pick<Kernel, "sortEntries" | "partEntries"> {
  const sort = (
    { entries, count, scratch }: Record<"entries" | "count" | "scratch", number>,
    compare: (left: number, right: number) => number,
  ): number => {
    const places = Array.from({ length: count }, (_, i) => entries + i * ENTRY_BYTES);
    places.sort((left, right) => compare(left, right) || left - right);
    places.forEach((place, i) => {
      memory.bytes.copyWithin(scratch + i * ENTRY_BYTES, place, place + ENTRY_BYTES);
    });
    return scratch;
  };
  const byPartition = (left: number, right: number): number =>
    readPartition(memory.view, left) - readPartition(memory.view, right);
  const byKey = (left: number, right: number): number =>
    compareEntries(memory.bytes, memory.view, left, right);
  return {
    sortEntries: (entries, count, scratch) =>
      sort(
        { entries, count, scratch },
        (left, right) => byPartition(left, right) || byKey(left, right),
      ),
    partEntries: (entries, count, scratch) => sort({ entries, count, scratch }, byPartition),
  };
}

/** A number's key is in its entry alone: so the entry's own 8 bytes come first. */
function compareEntries(bytes: Uint8Array, view: DataView, left: number, right: number): number {
  const high = view.getUint32(left + 4, true) - view.getUint32(right + 4, true);
  const low = view.getUint32(left, true) - view.getUint32(right, true);
  if (high !== 0 || low !== 0) return high || low;
  const a = readEntry(view, left);
  const b = readEntry(view, right);
  if (a.keyBytes <= 8 || b.keyBytes <= 8) return a.keyBytes - b.keyBytes;
  return compareBytes(bytes, a.key + 8, a.keyBytes - 8, b.key + 8, b.keyBytes - 8);
}
