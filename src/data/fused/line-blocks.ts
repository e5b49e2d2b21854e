import { isUtf8 } from "node:buffer";
import type { Workspace } from "../memory/workspace.ts";
import { BLOCK_BYTES, type LineRange } from "./line-range.ts";

const NEWLINE = 0x0a;

/** Whole lines in the workspace's memory. */
export interface LineBlock {
  readonly at: number;
  readonly end: number;
}

/**
 * The lines of a range, in blocks of whole lines; each block is valid until the next is asked for.
 */
export class LineBlocks {
  readonly #space: Workspace;
  readonly #range: LineRange;
  readonly #mustBeUtf8: boolean;
  readonly #window: number;
  /** Bytes of an incomplete line, at `#rest`. */
  #rest: number;
  #restEnd: number;

  /** `mustBeUtf8` (default: true): a line that is not UTF-8 is unfit. */
  constructor(space: Workspace, range: LineRange, { mustBeUtf8 = true } = {}) {
    this.#space = space;
    this.#mustBeUtf8 = mustBeUtf8;
    this.#range = range;
    this.#window = space.take(BLOCK_BYTES);
    this.#rest = this.#window;
    this.#restEnd = this.#window;
  }

  /** Undefined if there are no more blocks, or they are not fit for the kernels: see `isAtEnd`. */
  next(): LineBlock | undefined {
    const { bytes } = this.#space.memory;
    const window = this.#window;
    bytes.copyWithin(window, this.#rest, this.#restEnd);
    let end = window + this.#restEnd - this.#rest;
    this.#rest = window;
    this.#restEnd = end;
    while (end < window + BLOCK_BYTES && !this.#range.isAtEnd) {
      end += this.#range.read(bytes, end, window + BLOCK_BYTES - end);
    }
    this.#restEnd = end;
    const cut = this.#range.isAtEnd ? end : bytes.lastIndexOf(NEWLINE, end - 1) + 1;
    // If the whole window has no line end, `lastIndexOf` finds one before the window, or none.
    if (cut <= window) return undefined;
    if (this.#mustBeUtf8 && !isUtf8(bytes.subarray(window, cut))) return undefined;
    this.#rest = cut;
    return { at: window, end: cut };
  }

  /** Whether the lines are exhausted, rather than unfit, after `next` returned undefined. */
  get isAtEnd(): boolean {
    return this.#range.isAtEnd && this.#rest === this.#restEnd;
  }
}
