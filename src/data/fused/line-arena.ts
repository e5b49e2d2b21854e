import { isUtf8 } from "node:buffer";
import { ENTRY_BYTES } from "../kernel/kernel.ts";
import { type Entries, sortingBytes } from "../memory/entries.ts";
import type { Workspace } from "../memory/workspace.ts";
import type { LineRange } from "./line-range.ts";

const READ_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** How much of the range is in memory. */
export interface HeldLines {
  readonly lines: number;
  readonly isLast: boolean;
}

/**
 * Holds as many lines of a range as fit and can be sorted at once. The arena takes all free memory.
 */
export class LineArena {
  readonly #space: Workspace;
  readonly #range: LineRange;
  readonly #start: number;
  /** The end of the held lines, and the end of the bytes read. */
  #end: number;
  #readEnd: number;

  constructor(space: Workspace, range: LineRange) {
    this.#space = space;
    this.#range = range;
    this.#start = space.take(0);
    this.#end = this.#start;
    this.#readEnd = this.#start;
  }

  /**
   * Reads the next lines. Undefined if they are not fit for the kernels, or one exceeds the memory.
   */
  fill(): HeldLines | undefined {
    const { memory, kernel } = this.#space;
    const start = this.#start;
    memory.bytes.copyWithin(start, this.#end, this.#readEnd);
    const rest = this.#readEnd - this.#end;
    memory.release(start);
    this.#space.take(Math.ceil(rest / READ_BYTES) * READ_BYTES);
    this.#end = start;
    this.#readEnd = start + rest;
    let lines = rest === 0 ? 0 : kernel.countLines(start, this.#readEnd);
    let whole = start;
    let searched = start;
    while (!this.#range.isAtEnd) {
      // The last line that was counted may continue.
      const lineEnd = memory.bytes.subarray(searched, this.#readEnd).lastIndexOf(NEWLINE);
      if (lineEnd >= 0) whole = searched + lineEnd + 1;
      searched = this.#readEnd;
      const more = this.#read(lines);
      if (more === undefined || sortingBytes(lines + more + 1) > memory.free) {
        if (whole <= start) return undefined;
        return this.#hold(whole);
      }
      lines += more;
    }
    return this.#hold(this.#readEnd);
  }

  /** Entries of the held lines, in their order. */
  entries({ lines }: HeldLines): Entries {
    const { kernel, result } = this.#space;
    const at = this.#space.take(lines * ENTRY_BYTES);
    const count = kernel.lineEntries(this.#start, this.#end, at, lines, result);
    return { at, count };
  }

  /**
   * Reads bytes; returns about how many line ends they hold. Undefined if there is no room for
   * them.
   */
  #read(lines: number): number | undefined {
    const { memory, kernel } = this.#space;
    const at = this.#readEnd;
    const room = at + READ_BYTES - memory.used;
    if (room > 0) {
      if (READ_BYTES + sortingBytes(lines + 1) > memory.free) return undefined;
      this.#space.take(READ_BYTES);
    }
    this.#readEnd += this.#range.read(memory.bytes, at, memory.used - at);
    return kernel.countLines(at, this.#readEnd);
  }

  #hold(end: number): HeldLines | undefined {
    const { memory, kernel } = this.#space;
    if (!isUtf8(memory.bytes.subarray(this.#start, end))) return undefined;
    this.#end = end;
    const lines = kernel.countLines(this.#start, end);
    return { lines, isLast: end === this.#readEnd && this.#range.isAtEnd };
  }
}
