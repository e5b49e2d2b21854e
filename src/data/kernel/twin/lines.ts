import { ENTRY_BYTES, type Kernel } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { byteAt, compareBytes } from "./bytes.ts";
import { writeEntry } from "./entries.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** A line's places: its text's, and where the next one starts. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** The line from `start` on; the last needs no end. */
export function lineAt(bytes: Uint8Array, start: number, end: number): Line {
  const found = bytes.indexOf(NEWLINE, start);
  if (found < 0 || found >= end) return { start, end, next: end };
  const hasReturn = found > start && byteAt(bytes, found - 1) === RETURN;
  return { start, end: hasReturn ? found - 1 : found, next: found + 1 };
}

export function putLineEntry(memory: KernelMemory, at: number, { start, end }: Line): void {
  writeEntry(memory, at, { key: start, keyBytes: end - start, payload: 0 });
}

/** `assembly/lines.ts` */
export function linesTwin(
  memory: KernelMemory,
): Pick<Kernel, "lineEntries" | "countLines" | "matchingLines"> {
  const put = (into: number, index: number, line: Line): void =>
    putLineEntry(memory, into + index * ENTRY_BYTES, line);
  return {
    lineEntries(at, end, into, room, result) {
      let count = 0;
      let place = at;
      for (; place < end && count < room; count++) {
        const line = lineAt(memory.bytes, place, end);
        put(into, count, line);
        place = line.next;
      }
      memory.view.setUint32(result, place, true);
      return count;
    },

    countLines(at, end) {
      let count = 0;
      for (let place = at; place < end; count++) place = lineAt(memory.bytes, place, end).next;
      return count;
    },

    matchingLines(at, end, literal, literalBytes, _first, _second, into, room, result) {
      const { bytes, view } = memory;
      let count = 0;
      let matched = at;
      for (let place = at; place < end; ) {
        const line = lineAt(bytes, place, end);
        place = line.next;
        if (!holds(bytes, line, literal, literalBytes)) continue;
        if (into !== 0 && count === room) {
          view.setUint32(result, matched, true);
          return count;
        }
        if (into !== 0) put(into, count, line);
        count++;
        matched = place;
      }
      view.setUint32(result, end, true);
      return count;
    },
  };
}

function holds(bytes: Uint8Array, line: Line, literal: number, count: number): boolean {
  for (let at = line.start; at + count <= line.end; at++) {
    if (compareBytes(bytes, at, count, literal, count) === 0) return true;
  }
  return false;
}
