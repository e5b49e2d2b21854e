import type { Kernel } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { findSlot, NUMBER } from "./byte-table.ts";
import { byteAt, readCount, writeCount } from "./bytes.ts";

/** Words are runs of bytes above it. */
const SPACE = 0x20;

/** `assembly/counts.ts` */
export function countsTwin(memory: KernelMemory): Pick<Kernel, "countWords"> {
  const count = (table: number, at: number, bytes: number): boolean => {
    const slot = findSlot(memory, table, { at, bytes }, true);
    if (slot === undefined) return false;
    writeCount(memory.view, slot + NUMBER, readCount(memory.view, slot + NUMBER) + 1);
    return true;
  };
  return {
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
