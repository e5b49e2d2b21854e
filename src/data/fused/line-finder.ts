import { isAscii } from "node:buffer";
import { textOf } from "../formats/byte-text.ts";
import { ENTRY_BYTES } from "../kernel/kernel.ts";
import { Literal } from "../kernel/literal.ts";
import { keyBytesOf, keyOf } from "../memory/entries.ts";
import type { Workspace } from "../memory/workspace.ts";
import type { LineBlock } from "./line-blocks.ts";
import type { LineFilter } from "./line-filter.ts";

/** The most lines found at once. */
export const LINES_MAX = 1024;

/** Finds the matching lines of a block: their entries are at `entries`. */
export class LineFinder {
  readonly entries: number;
  readonly #space: Workspace;
  readonly #literal: Literal | undefined;
  readonly #accepts: LineFilter["accepts"];

  /** `where`: all lines if undefined. */
  constructor(space: Workspace, where: LineFilter | undefined) {
    this.#space = space;
    this.#literal = where && new Literal(space.kernel, space.memory, Buffer.from(where.literal));
    this.#accepts = where?.accepts;
    this.entries = space.take(LINES_MAX * ENTRY_BYTES);
  }

  /** Calls `take` with the number of entries found, repeatedly until the block's end. */
  each(block: LineBlock, take: (count: number) => void): void {
    const { kernel, result } = this.#space;
    const { end } = block;
    for (let from = block.at; from < end; ) {
      const found =
        this.#literal?.lineEntries(from, end, this.entries, LINES_MAX, result) ??
        kernel.lineEntries(from, end, this.entries, LINES_MAX, result);
      from = this.#space.reached;
      const wanted = this.#accepted(found, block);
      if (wanted > 0) take(wanted);
    }
  }

  /** The number of matching lines in the block. */
  count(block: LineBlock): number {
    const { kernel, result } = this.#space;
    if (this.#accepts === undefined) {
      return (
        this.#literal?.countLines(block.at, block.end, result) ??
        kernel.countLines(block.at, block.end)
      );
    }
    let lines = 0;
    this.each(block, (count) => {
      lines += count;
    });
    return lines;
  }

  /** Moves the entries that match to the front; returns their number. */
  #accepted(count: number, block: LineBlock): number {
    const accepts = this.#accepts;
    if (accepts === undefined || count === 0) return count;
    const { bytes } = this.#space.memory;
    const text = this.#textOf(block);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const entry = this.entries + i * ENTRY_BYTES;
      const at = keyOf(this.#space, entry);
      if (!accepts(text(at, at + keyBytesOf(this.#space, entry)))) continue;
      bytes.copyWithin(this.entries + kept++ * ENTRY_BYTES, entry, entry + ENTRY_BYTES);
    }
    return kept;
  }

  /** Decodes a line of the block as the general path does. */
  #textOf({ at, end }: LineBlock): (from: number, to: number) => string {
    const { bytes } = this.#space.memory;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return isAscii(buffer.subarray(at, end))
      ? (from, to) => buffer.toString("latin1", from, to)
      : (from, to) => textOf(buffer.subarray(from, to));
  }
}
