import { CURSOR_BYTES, ENTRY_BYTES, type Kernel } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { compareBytes, type RecordPlaces, readRecord } from "./bytes.ts";
import { PAYLOAD, readEntry, writeEntry } from "./entries.ts";

const END = 4;
const IS_LAST = 8;

/** The record that a cursor stands at. */
interface Head extends RecordPlaces {
  readonly cursor: number;
  readonly at: number;
}

/** `assembly/merge.ts` */
export function mergeTwin(
  memory: KernelMemory,
): Pick<Kernel, "mergeEntries" | "equalKeys" | "firstOfEach"> {
  const u32 = (at: number): number => memory.view.getUint32(at, true);
  const headOf = (cursor: number): Head | "dry" | "ended" => {
    const at = u32(cursor);
    if (at < u32(cursor + END)) return { ...readRecord(memory.bytes, at), cursor, at };
    return u32(cursor + IS_LAST) === 0 ? "dry" : "ended";
  };
  return {
    mergeEntries(cursors, count, skip, into, room, result) {
      const { view } = memory;
      const heads = Array.from({ length: count }, (_, i) => headOf(cursors + i * CURSOR_BYTES));
      let dry = heads.indexOf("dry");
      let made = 0;
      for (; made < room && dry < 0; made++) {
        const first = firstOf(memory.bytes, heads);
        if (first === undefined) break;
        const entry = into + made * ENTRY_BYTES;
        const key = first.key + skip;
        writeEntry(memory, entry, { key, keyBytes: first.keyBytes - skip, payload: first.at });
        view.setUint32(first.cursor, first.end, true);
        const next = headOf(first.cursor);
        const run = (first.cursor - cursors) / CURSOR_BYTES;
        heads[run] = next;
        if (next === "dry") dry = run;
      }
      view.setUint32(result, dry < 0 ? count : dry, true);
      return made;
    },

    equalKeys(entries, count, ids, values) {
      const { bytes, view } = memory;
      let id = 0;
      let before: number | undefined;
      for (let i = 0; i < count; i++) {
        const entry = readEntry(view, entries + i * ENTRY_BYTES);
        if (before !== undefined) {
          const last = readEntry(view, before);
          const order = compareBytes(bytes, last.key, last.keyBytes, entry.key, entry.keyBytes);
          if (order !== 0) id++;
        }
        before = entries + i * ENTRY_BYTES;
        view.setUint32(ids + i * 4, id, true);
        view.setUint32(values + i * 4, entry.key + entry.keyBytes, true);
      }
      return before === undefined ? 0 : id + 1;
    },

    firstOfEach(entries, count, ids) {
      let keys = 0;
      for (let i = 0; i < count; i++) {
        if (u32(ids + i * 4) !== keys) continue;
        const from = entries + i * ENTRY_BYTES;
        const to = entries + keys * ENTRY_BYTES;
        memory.bytes.copyWithin(to, from, from + ENTRY_BYTES);
        memory.view.setUint32(to + PAYLOAD, keys++, true);
      }
      return keys;
    },
  };
}

/** The one with the least key; of equal ones the first. */
function firstOf(bytes: Uint8Array, heads: readonly (Head | "dry" | "ended")[]): Head | undefined {
  let first: Head | undefined;
  for (const head of heads) {
    if (typeof head === "string") continue;
    if (first === undefined || compareHeads(bytes, head, first) < 0) first = head;
  }
  return first;
}

const compareHeads = (bytes: Uint8Array, left: Head, right: Head): number =>
  compareBytes(bytes, left.key, left.keyBytes, right.key, right.keyBytes);
