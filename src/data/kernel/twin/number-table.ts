import { CELL_BYTES, ENTRY_BYTES, type Kernel, MISSING, NUMBER_SLOT_BYTES } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { writeNumberKey } from "./values.ts";

/** The layout of `assembly/number-table.ts`; the hash differs, which no caller can see. */
const HEADER = { slots: 0, mask: 4, size: 8 } as const;
const ID = 8;

const header = (view: DataView, table: number, field: keyof typeof HEADER): number =>
  view.getUint32(table + HEADER[field], true);

/** A u64. */
interface Long {
  readonly low: number;
  readonly high: number;
}

const readLong = (view: DataView, at: number): Long => ({
  low: view.getUint32(at, true),
  high: view.getUint32(at + 4, true),
});

/** The slot of a key; one that is not there is empty. */
function findSlot(view: DataView, table: number, { low, high }: Long): number {
  const slots = header(view, table, "slots");
  const mask = header(view, table, "mask");
  let hash = Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae35);
  for (let i = (hash ^ (hash >>> 13)) & mask; ; i = (i + 1) & mask) {
    const slot = slots + i * NUMBER_SLOT_BYTES;
    if (view.getUint32(slot + ID, true) === 0) return slot;
    if (view.getUint32(slot, true) === low && view.getUint32(slot + 4, true) === high) return slot;
  }
}

function fillSlot(view: DataView, slot: number, { low, high }: Long, number: number): void {
  view.setUint32(slot, low, true);
  view.setUint32(slot + 4, high, true);
  view.setUint32(slot + ID, number, true);
}

function* fullSlots(view: DataView, table: number): Generator<number> {
  const slots = header(view, table, "slots");
  const count = header(view, table, "mask") + 1;
  for (let i = 0; i < count; i++) {
    const slot = slots + i * NUMBER_SLOT_BYTES;
    if (view.getUint32(slot + ID, true) !== 0) yield slot;
  }
}

type Functions =
  | "numbersInit"
  | "numbersSize"
  | "numbersMove"
  | "groupNumbers"
  | "findNumbers"
  | "numberEntries"
  | "numberKeys";

/** `assembly/number-table.ts` */
export function numberTableTwin(memory: KernelMemory): Pick<Kernel, Functions> {
  return {
    numbersInit(table, slots, slotCount) {
      memory.view.setUint32(table + HEADER.slots, slots, true);
      memory.view.setUint32(table + HEADER.mask, slotCount - 1, true);
      memory.view.setUint32(table + HEADER.size, 0, true);
    },

    numbersSize: (table) => header(memory.view, table, "size"),

    numbersMove(from, to) {
      const { view } = memory;
      for (const slot of fullSlots(view, from)) {
        const key = readLong(view, slot);
        fillSlot(view, findSlot(view, to, key), key, view.getUint32(slot + ID, true));
      }
      view.setUint32(to + HEADER.size, header(view, from, "size"), true);
    },

    groupNumbers(table, keys, count, ids) {
      const { view } = memory;
      for (let i = 0; i < count; i++) {
        const key = readLong(view, keys + i * CELL_BYTES);
        const slot = findSlot(view, table, key);
        let number = view.getUint32(slot + ID, true);
        if (number === 0) {
          const size = header(view, table, "size");
          if (size * 2 > header(view, table, "mask")) return i;
          number = size + 1;
          fillSlot(view, slot, key, number);
          view.setUint32(table + HEADER.size, number, true);
        }
        view.setUint32(ids + i * 4, number - 1, true);
      }
      return count;
    },

    findNumbers(table, keys, count, ids) {
      const { view } = memory;
      for (let i = 0; i < count; i++) {
        const slot = findSlot(view, table, readLong(view, keys + i * CELL_BYTES));
        const number = view.getUint32(slot + ID, true);
        view.setUint32(ids + i * 4, number === 0 ? MISSING : number - 1, true);
      }
    },

    numberEntries(table, into) {
      const { view } = memory;
      let entry = into;
      for (const slot of fullSlots(view, table)) {
        const key = readLong(view, slot);
        view.setUint32(entry, key.low, true);
        view.setUint32(entry + 4, key.high, true);
        view.setUint32(entry + 8, 0, true);
        view.setUint32(entry + 12, 8, true);
        view.setUint32(entry + 16, view.getUint32(slot + ID, true) - 1, true);
        view.setUint32(entry + 20, 0, true);
        entry += ENTRY_BYTES;
      }
      return (entry - into) / ENTRY_BYTES;
    },

    numberKeys(cells, count) {
      const { view } = memory;
      for (let at = cells; at < cells + count * CELL_BYTES; at += CELL_BYTES) {
        writeNumberKey(view, at, view.getFloat64(at, true));
      }
    },
  };
}
