import { CELL_BYTES, ENTRY_BYTES, type Kernel, MISSING, SLOT_BYTES } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { byteAt, compareBytes } from "./bytes.ts";
import { readEntry, writeEntry } from "./entries.ts";

/** The layout of `assembly/byte-table.ts`; the hash differs, which no caller can see. */
const HEADER = { slots: 0, mask: 4, size: 8, arena: 12, arenaUsed: 16, arenaBytes: 20 } as const;
const SLOT = { hash: 0, bytes: 4, key: 8, number: 24 } as const;
const INLINE_MAX = 16;

/** Where in a slot its number is: a count, or its place among all, from 1 on. */
export const NUMBER = SLOT.number;

const header = (view: DataView, table: number, field: keyof typeof HEADER): number =>
  view.getUint32(table + HEADER[field], true);

/**
 * The slot of a key; one that is not there is `made`, its number 0. Undefined: there is none, or no
 * room.
 */
export function findSlot(
  { bytes, view }: KernelMemory,
  table: number,
  key: { readonly at: number; readonly bytes: number },
  made: boolean,
): number | undefined {
  const slots = header(view, table, "slots");
  const mask = header(view, table, "mask");
  const hash = hashOf(bytes, key.at, key.bytes);
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const slot = slots + i * SLOT_BYTES;
    const found = view.getUint32(slot + SLOT.hash, true);
    if (found === 0) return made ? makeSlot(bytes, view, table, slot, key, hash) : undefined;
    if (found !== hash || view.getUint32(slot + SLOT.bytes, true) !== key.bytes) continue;
    const there = slotKey(view, table, slot);
    if (compareBytes(bytes, there, key.bytes, key.at, key.bytes) === 0) return slot;
  }
}

function makeSlot(
  bytes: Uint8Array,
  view: DataView,
  table: number,
  slot: number,
  key: { readonly at: number; readonly bytes: number },
  hash: number,
): number | undefined {
  const size = header(view, table, "size");
  if (size * 8 > header(view, table, "mask") * 7) return undefined;
  if (key.bytes > INLINE_MAX) {
    const used = header(view, table, "arenaUsed");
    if (used + key.bytes > header(view, table, "arenaBytes")) return undefined;
    view.setUint32(table + HEADER.arenaUsed, used + key.bytes, true);
    view.setUint32(slot + INLINE_MAX, used, true);
  }
  view.setUint32(slot + SLOT.hash, hash, true);
  view.setUint32(slot + SLOT.bytes, key.bytes, true);
  view.setFloat64(slot + SLOT.number, 0, true);
  view.setUint32(table + HEADER.size, size + 1, true);
  bytes.copyWithin(slotKey(view, table, slot), key.at, key.at + key.bytes);
  return slot;
}

function slotKey(view: DataView, table: number, slot: number): number {
  if (view.getUint32(slot + SLOT.bytes, true) <= INLINE_MAX) return slot + SLOT.key;
  return header(view, table, "arena") + view.getUint32(slot + INLINE_MAX, true);
}

/** FNV-1a, its bits mixed; never 0. */
function hashOf(bytes: Uint8Array, at: number, count: number): number {
  let hash = 0x811c_9dc5;
  for (let i = at; i < at + count; i++) hash = Math.imul(hash ^ byteAt(bytes, i), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0 || 1;
}

/** Slots that hold a key. */
function* fullSlots(view: DataView, table: number): Generator<number> {
  const slots = header(view, table, "slots");
  const count = header(view, table, "mask") + 1;
  for (let i = 0; i < count; i++) {
    const slot = slots + i * SLOT_BYTES;
    if (view.getUint32(slot + SLOT.hash, true) !== 0) yield slot;
  }
}

function tableEntries(memory: KernelMemory, table: number, into: number): number {
  let entry = into;
  for (const slot of fullSlots(memory.view, table)) {
    const keyBytes = memory.view.getUint32(slot + SLOT.bytes, true);
    const key = slotKey(memory.view, table, slot);
    writeEntry(memory, entry, { key, keyBytes, payload: slot });
    entry += ENTRY_BYTES;
  }
  return (entry - into) / ENTRY_BYTES;
}

type Functions =
  | "tableInit"
  | "tableSize"
  | "tableMove"
  | "tableEntries"
  | "groupKeys"
  | "findKeys"
  | "groupEntries";

/** `assembly/byte-table.ts` */
export function byteTableTwin(memory: KernelMemory): Pick<Kernel, Functions> {
  const cell = (at: number) => ({
    at: memory.view.getUint32(at, true),
    bytes: memory.view.getUint32(at + 4, true),
  });
  return {
    tableInit(table, slots, slotCount, arena, arenaBytes) {
      const { view } = memory;
      view.setUint32(table + HEADER.slots, slots, true);
      view.setUint32(table + HEADER.mask, slotCount - 1, true);
      view.setUint32(table + HEADER.size, 0, true);
      view.setUint32(table + HEADER.arena, arena, true);
      view.setUint32(table + HEADER.arenaUsed, 0, true);
      view.setUint32(table + HEADER.arenaBytes, arenaBytes, true);
    },

    tableSize: (table) => header(memory.view, table, "size"),

    tableMove(from, to) {
      const { view } = memory;
      for (const slot of fullSlots(view, from)) {
        const at = slotKey(view, from, slot);
        const bytes = view.getUint32(slot + SLOT.bytes, true);
        const moved = findSlot(memory, to, { at, bytes }, true) ?? 0;
        view.setFloat64(moved + NUMBER, view.getFloat64(slot + NUMBER, true), true);
      }
    },

    tableEntries: (table, into) => tableEntries(memory, table, into),

    groupKeys(table, cells, count, ids) {
      const { view } = memory;
      for (let i = 0; i < count; i++) {
        const slot = findSlot(memory, table, cell(cells + i * CELL_BYTES), true);
        if (slot === undefined) return i;
        const number = view.getUint32(slot + NUMBER, true) || header(view, table, "size");
        view.setUint32(slot + NUMBER, number, true);
        view.setUint32(ids + i * 4, number - 1, true);
      }
      return count;
    },

    findKeys(table, cells, count, ids) {
      const { view } = memory;
      for (let i = 0; i < count; i++) {
        const slot = findSlot(memory, table, cell(cells + i * CELL_BYTES), false);
        const id = slot === undefined ? MISSING : view.getUint32(slot + NUMBER, true) - 1;
        view.setUint32(ids + i * 4, id, true);
      }
    },

    groupEntries(table, into) {
      const count = tableEntries(memory, table, into);
      for (let i = 0; i < count; i++) {
        const at = into + i * ENTRY_BYTES;
        const entry = readEntry(memory.view, at);
        const payload = memory.view.getUint32(entry.payload + NUMBER, true) - 1;
        writeEntry(memory, at, { ...entry, payload });
      }
      return count;
    },
  };
}
