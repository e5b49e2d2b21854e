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

/** A bin of this size, and the room for sorting it, stay in a core's cache. */
const BIN_BYTES_USUAL = 512 * 1024;
/** Each bin is written to in turn: with more bins, the places written to would leave the cache. */
const BITS_MAX = 8;
const CHUNK_BYTES = 16 * 1024;
/** The steps in which the room for chunks grows: enough for the longest line of a block. */
const MORE_BYTES = BLOCK_BYTES + CHUNK_BYTES;

/** The best number of bins for this many bytes, as a power of two. */
const bitsFor = (bytes: number): number =>
  Math.max(0, Math.min(BITS_MAX, Math.ceil(Math.log2(bytes / BIN_BYTES_USUAL))));

/**
 * Holds as many lines of a range as fit, in bins by their first bytes. Sorting a bin and copying
 * its lines in order takes a fraction of the time that lines scattered over the memory would take.
 * The bins take all free memory.
 */
export class LineBins {
  readonly #space: Workspace;
  readonly #blocks: LineBlocks;
  readonly #bins: number;
  readonly #count: number;
  readonly #chunks: number;
  /** The part of the present block that is not in bins yet. */
  #rest: LineBlock = { at: 0, end: 0 };

  /**
   * `splittersFor`: rising texts that cut the lines into about as many equal shares as asked for.
   */
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

  /**
   * Reads the next lines. Undefined if they are not fit for the kernels, or one exceeds the memory.
   */
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

  /** Entries of each bin's lines, in their order, bin after bin; each is valid until the next. */
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

  /** The most lines of a bin that can be sorted. */
  get #linesMax(): number {
    return Math.floor(
      (this.#space.memory.free - sortingBytes(1)) / (sortingBytes(1) - sortingBytes(0)),
    );
  }

  /** Adds memory for chunks; returns false if the rest is needed for sorting. */
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

  /** With too few splitters for all bins, the last bins stay empty. */
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

/** Offsets of fields in the bins' header. */
const END = 4;
const EACH_BYTES = 8;
const BITS = 12;
