import { isUtf8 } from "node:buffer";
import type { Workspace } from "../memory/workspace.ts";
import { BLOCK_BYTES, type LineRange } from "./line-range.ts";

const NEWLINE = 0x0a;

/** Whole lines in the workspace's memory. */
export interface LineBlock {
  readonly at: number;
  readonly end: number;
}

/** The lines of a range, in blocks of whole lines, each gone when the next is asked for. */
export class LineBlocks {
  readonly #space: Workspace;
  readonly #range: LineRange;
  readonly #mustBeUtf8: boolean;
  readonly #window: number;
  /** Bytes of a line that is not yet whole, at `#rest`. */
  #rest: number;
  #restEnd: number;

  /** `mustBeUtf8`: what is not is unfit; so it is unless told. */
  constructor(space: Workspace, range: LineRange, { mustBeUtf8 = true } = {}) {
    this.#space = space;
    this.#mustBeUtf8 = mustBeUtf8;
    this.#range = range;
    this.#window = space.take(BLOCK_BYTES);
    this.#rest = this.#window;
    this.#restEnd = this.#window;
  }

  /** Undefined: there are no more, or they are not fit for kernels: see `isAtEnd`. */
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
    // Without a line end in the whole window, `lastIndexOf` finds one before it or none.
    if (cut <= window) return undefined;
    if (this.#mustBeUtf8 && !isUtf8(bytes.subarray(window, cut))) return undefined;
    this.#rest = cut;
    return { at: window, end: cut };
  }

  /** Nothing is left: that there were no more blocks means that there were no more lines. */
  get isAtEnd(): boolean {
    return this.#range.isAtEnd && this.#rest === this.#restEnd;
  }
}
