import {
  BIN_BYTES,
  BINS_END_BYTES,
  BINS_HEADER_BYTES,
  ENTRY_BYTES,
  SPLITTER_BYTES,
} from "../kernel/kernel.ts";
import { type Entries, sortingBytes } from "../memory/entries.ts";
import type { Workspace } from "../memory/workspace.ts";
import type { HeldLines } from "./line-arena.ts";
import { type LineBlock, LineBlocks } from "./line-blocks.ts";
import { BLOCK_BYTES, type LineRange } from "./line-range.ts";

/** So much of a bin, and what sorting it takes, stay in a core's cache. */
const BIN_BYTES_USUAL = 512 * 1024;
/** Each bin is written to in turn: more of them than so, and the places would not stay there. */
const BITS_MAX = 8;
const CHUNK_BYTES = 16 * 1024;
/** By how much what chunks are made of grows: there is room for the longest line of a block. */
const MORE_BYTES = BLOCK_BYTES + CHUNK_BYTES;

/** How many bins, as a power of two, are good for so many bytes. */
const bitsFor = (bytes: number): number =>
  Math.max(0, Math.min(BITS_MAX, Math.ceil(Math.log2(bytes / BIN_BYTES_USUAL))));

/**
 * As many lines of a range as can be held, in bins by their first bytes: to sort a bin and to copy
 * its lines in order takes a fraction of what it would where they lie anywhere in the memory. It
 * takes what is free.
 */
export class LineBins {
  readonly #space: Workspace;
  readonly #blocks: LineBlocks;
  readonly #bins: number;
  readonly #count: number;
  readonly #chunks: number;
  /** What of the block at hand is not in bins yet. */
  #rest: LineBlock = { at: 0, end: 0 };

  /** `splittersFor`: texts that cut the lines into about so many equal shares, rising. */
  constructor(
    space: Workspace,
    range: LineRange,
    splittersFor: (bins: number) => readonly Uint8Array[],
  ) {
    this.#space = space;
    this.#blocks = new LineBlocks(space, range);
    const bits = bitsFor(Math.min(range.end - range.start, space.memory.free));
    this.#count = 2 ** bits;
    const each = SPLITTER_BYTES + BIN_BYTES;
    this.#bins = space.take(BINS_HEADER_BYTES + this.#count * each + BINS_END_BYTES);
    this.#chunks = space.take(0);
    const { view } = space.memory;
    view.setUint32(this.#bins + END, this.#chunks, true);
    view.setUint32(this.#bins + EACH_BYTES, CHUNK_BYTES, true);
    view.setUint32(this.#bins + BITS, bits, true);
    this.#setSplitters(splittersFor(this.#count));
  }

  /** The next lines. Undefined: they are not fit for kernels, or one is larger than the memory. */
  fill(): HeldLines | undefined {
    const space = this.#space;
    const { kernel, result } = space;
    kernel.binsClear(this.#bins, this.#chunks);
    for (let lines = 0; ; ) {
      if (this.#rest.at === this.#rest.end) {
        const block = this.#blocks.next();
        if (block === undefined) {
          return this.#blocks.isAtEnd ? { lines, isLast: true } : undefined;
        }
        this.#rest = block;
      }
      const { at, end } = this.#rest;
      lines += kernel.binLines(at, end, this.#bins, this.#linesMax, result);
      this.#rest = { at: space.reached, end };
      if (space.reached < end && !this.#addRoom()) {
        return lines === 0 ? undefined : { lines, isLast: false };
      }
    }
  }

  /** Entries of each bin's lines, in their order, bin after bin: gone with the next. */
  *entries(): Generator<Entries, void, undefined> {
    const { kernel, memory, result } = this.#space;
    const mark = memory.used;
    for (let bin = 0; bin < this.#count; bin++) {
      const count = kernel.binSize(this.#bins, bin);
      if (count === 0) continue;
      const at = this.#space.take(count * ENTRY_BYTES);
      kernel.binEntries(this.#bins, bin, at, result);
      yield { at, count };
      memory.release(mark);
    }
  }

  /** How many lines of a bin can be sorted. */
  get #linesMax(): number {
    return Math.floor(
      (this.#space.memory.free - sortingBytes(1)) / (sortingBytes(1) - sortingBytes(0)),
    );
  }

  /** More memory for chunks; false: what is left is wanted for sorting. */
  #addRoom(): boolean {
    const { memory, kernel } = this.#space;
    let largest = 0;
    for (let bin = 0; bin < this.#count; bin++) {
      largest = Math.max(largest, kernel.binSize(this.#bins, bin));
    }
    if (MORE_BYTES + sortingBytes(largest + 2) > memory.free) return false;
    this.#space.take(MORE_BYTES);
    memory.view.setUint32(this.#bins + END, memory.used, true);
    return true;
  }

  /** Where there are fewer than would part all bins, the last ones stay empty. */
  #setSplitters(texts: readonly Uint8Array[]): void {
    const { bytes } = this.#space.memory;
    const first = this.#bins + BINS_HEADER_BYTES;
    for (let i = 0; i < this.#count; i++) {
      const at = first + i * SPLITTER_BYTES;
      const text = texts[i];
      for (let byte = 0; byte < SPLITTER_BYTES; byte++) {
        bytes[at + SPLITTER_BYTES - 1 - byte] = text === undefined ? 0xff : (text[byte] ?? 0);
      }
    }
  }
}

/** Fields of the bins' header. */
const END = 4;
const EACH_BYTES = 8;
const BITS = 12;
