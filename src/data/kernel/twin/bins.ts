import {
  BIN_BYTES,
  BINS_HEADER_BYTES,
  ENTRY_BYTES,
  type Kernel,
  SPLITTER_BYTES,
} from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { byteAt } from "./bytes.ts";
import { type Line, lineAt, putLineEntry } from "./lines.ts";

const END = 4;
const CHUNK_BYTES = 8;
const BITS = 12;

const LAST = 4;
const AT = 8;
const LAST_END = 12;
const LINES = 16;

const CHUNK_HEADER_BYTES = 8;
const LINES_END = 4;
const OVERSHOOT = 16;

/** `assembly/bins.ts` */
export function binsTwin(
  memory: KernelMemory,
): Pick<Kernel, "binLines" | "binSize" | "binEntries" | "binsClear"> {
  const get = (at: number): number => memory.view.getUint32(at, true);
  const set = (at: number, value: number): void => memory.view.setUint32(at, value, true);
  const binAt = (bins: number, index: number): number =>
    bins + BINS_HEADER_BYTES + SPLITTER_BYTES * 2 ** get(bins + BITS) + index * BIN_BYTES;

  const putLine = (bins: number, linesMax: number, { start, end, next }: Line): boolean => {
    const { bytes, view } = memory;
    const bin = binAt(bins, binOf(view, bins, firstBytes(bytes, start, end)));
    const lines = get(bin + LINES);
    if (lines >= linesMax) return false;
    const fits = get(bin + AT) + next - start + OVERSHOOT <= get(bin + LAST_END);
    const to = fits ? get(bin + AT) : addChunk(view, bins, bin, next - start);
    if (to === 0) return false;
    bytes.copyWithin(to, start, next);
    set(bin + AT, to + next - start);
    set(bin + LINES, lines + 1);
    return true;
  };

  return {
    binLines(at, end, bins, linesMax, result) {
      let lines = 0;
      let place = at;
      while (place < end) {
        const line = lineAt(memory.bytes, place, end);
        if (!putLine(bins, linesMax, line)) break;
        lines++;
        place = line.next;
      }
      set(result, place);
      return lines;
    },

    binSize: (bins, index) => get(binAt(bins, index) + LINES),

    binEntries(bins, index, into) {
      const bin = binAt(bins, index);
      const lines = get(bin + LINES);
      let done = 0;
      for (let chunk = get(bin); done < lines; chunk = get(chunk)) {
        const end = chunk === get(bin + LAST) ? get(bin + AT) : get(chunk + LINES_END);
        for (let place = chunk + CHUNK_HEADER_BYTES; place < end; done++) {
          const line = lineAt(memory.bytes, place, end);
          putLineEntry(memory, into + done * ENTRY_BYTES, line);
          place = line.next;
        }
      }
    },

    binsClear(bins, at) {
      set(bins, at);
      memory.bytes.fill(0, binAt(bins, 0), binAt(bins, 2 ** get(bins + BITS)));
    },
  };
}

/** Where in a new chunk of the bin the line goes; 0: there is no room for one. */
function addChunk(view: DataView, bins: number, bin: number, bytes: number): number {
  const get = (at: number): number => view.getUint32(at, true);
  const set = (at: number, value: number): void => view.setUint32(at, value, true);
  const chunk = get(bins);
  const least = Math.ceil((CHUNK_HEADER_BYTES + bytes + OVERSHOOT) / 64) * 64;
  const end = chunk + Math.max(least, get(bins + CHUNK_BYTES));
  if (end > get(bins + END)) return 0;
  set(bins, end);
  const last = get(bin + LAST);
  set(last === 0 ? bin : last, chunk);
  if (last !== 0) set(last + LINES_END, get(bin + AT));
  set(bin + LAST, chunk);
  set(bin + LAST_END, end);
  return chunk + CHUNK_HEADER_BYTES;
}

function firstBytes(bytes: Uint8Array, start: number, end: number): bigint {
  let first = 0n;
  for (let i = 0; i < 8; i++) {
    first = first * 256n + BigInt(start + i < end ? byteAt(bytes, start + i) : 0);
  }
  return first;
}

/** The last one whose least first bytes are not above these. */
function binOf(view: DataView, bins: number, first: bigint): number {
  const count = 2 ** view.getUint32(bins + BITS, true);
  let bin = 0;
  const least = (one: number): bigint =>
    view.getBigUint64(bins + BINS_HEADER_BYTES + (one - 1) * SPLITTER_BYTES, true);
  while (bin + 1 < count && least(bin + 1) <= first) bin++;
  return bin;
}
