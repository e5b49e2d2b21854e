import type { Kernel } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { byteTableTwin, findSlot, NUMBER } from "./byte-table.ts";
import { byteAt, readCount, writeCount } from "./bytes.ts";

/** Words are runs of bytes above it. */
const SPACE = 0x20;

type Functions = "countsInit" | "countsMove" | "countsEntries" | "countWords";

/** `assembly/counts.ts`; no word is hot. */
export function countsTwin(memory: KernelMemory): Pick<Kernel, Functions> {
  const count = (table: number, at: number, bytes: number): boolean => {
    const slot = findSlot(memory, table, { at, bytes }, true);
    if (slot === undefined) return false;
    writeCount(memory.view, slot + NUMBER, readCount(memory.view, slot + NUMBER) + 1);
    return true;
  };
  const { tableMove, tableEntries } = byteTableTwin(memory);
  return {
    countsInit() {},
    countsMove: tableMove,
    countsEntries: tableEntries,

    countWords(table, at, end) {
      const { bytes } = memory;
      for (let start = at; start < end; ) {
        let next = start;
        while (next < end && byteAt(bytes, next) > SPACE) next++;
        if (next > start && !count(table, start, next - start)) return start;
        start = next + 1;
      }
      return end;
    },
  };
}
