import { defined } from "../../base/assert.ts";
import { BLOCK_HEADER_BYTES } from "../bytes/run-format.ts";
import { CURSOR_BYTES, ENTRY_BYTES } from "../kernel/kernel.ts";
import { type Entries, NO_ENTRIES } from "./entries.ts";
import type { Workspace } from "./workspace.ts";

/** One sorted stream of records. */
export type RunSource =
  /** All records are in the workspace. */
  { readonly kind: "memory"; readonly at: number; readonly end: number } | BlockSource;

/** Blocks with headers, each valid until the next is asked for. */
interface BlockSource {
  readonly kind: "blocks";
  /** `room`: a buffer that the source may fill, but need not. */
  blocks(room: () => Buffer): Iterator<Buffer, void, undefined>;
  readonly blockBytesMax: number;
}

/** A source whose records are all in memory, or a window onto one block of it. */
type Window =
  | { readonly kind: "whole" }
  | {
      readonly kind: "block";
      readonly at: number;
      readonly blocks: Iterator<Buffer, void, undefined>;
    };

/** The most entries merged at once. */
const ROOM = 8192;

/** Offsets of a cursor's fields. */
const END = 4;
const IS_LAST = 8;

/**
 * Merges several sorted streams into one: records of one key come in the order of the sources. Uses
 * the free memory of the workspace, and holds a window of each source.
 */
export class MergeStream {
  readonly #space: Workspace;
  readonly #sources: readonly RunSource[];
  readonly #windows: Window[] = [];
  readonly #cursors: number;
  readonly #entries: number;
  #dry: number | undefined;
  #merged = 0;

  constructor(space: Workspace, sources: readonly RunSource[]) {
    this.#space = space;
    this.#sources = sources;
    this.#cursors = space.take(sources.length * CURSOR_BYTES);
    // The entry before the others belongs to the caller.
    this.#entries = space.take((ROOM + 1) * ENTRY_BYTES) + ENTRY_BYTES;
    for (const [i, source] of sources.entries()) this.#open(i, source);
  }

  /** The most entries that `next` returns. */
  static readonly room = ROOM;

  /** The number of records returned. */
  get merged(): number {
    return this.#merged;
  }

  /** The caller's entry, before the entries that `next` returns. */
  get spare(): number {
    return this.#entries - ENTRY_BYTES;
  }

  /** The next records, valid until the next call; empty at the end. */
  next(): Entries {
    const { kernel, result } = this.#space;
    for (;;) {
      if (this.#dry !== undefined) this.#fill(this.#dry);
      const sources = this.#sources.length;
      const count = kernel.mergeEntries(this.#cursors, sources, 0, this.#entries, ROOM, result);
      const dry = this.#space.reached;
      this.#dry = dry < sources ? dry : undefined;
      this.#merged += count;
      if (count > 0) return { at: this.#entries, count };
      if (this.#dry === undefined) return NO_ENTRIES;
    }
  }

  #open(index: number, source: RunSource): void {
    if (source.kind === "memory") {
      this.#windows.push({ kind: "whole" });
      this.#show(index, source.at, source.end, true);
    } else {
      const { memory } = this.#space;
      const { blockBytesMax } = source;
      const at = this.#space.takeLarge(blockBytesMax);
      // Growth replaces the memory, so the buffer is recreated.
      const room = (): Buffer => Buffer.from(memory.bytes.buffer, at, blockBytesMax);
      this.#windows.push({ kind: "block", at, blocks: source.blocks(room) });
      this.#fill(index);
    }
  }

  #fill(index: number): void {
    const window = defined(this.#windows[index], "a source's window");
    const { value: block } = window.kind === "block" ? window.blocks.next() : { value: undefined };
    if (window.kind === "whole" || block === undefined) {
      this.#show(index, 0, 0, true);
      return;
    }
    const { bytes } = this.#space.memory;
    const { at } = window;
    if (block.buffer !== bytes.buffer) bytes.set(block, at);
    this.#show(index, at + BLOCK_HEADER_BYTES, at + block.length, false);
  }

  #show(index: number, at: number, end: number, isLast: boolean): void {
    const { view } = this.#space.memory;
    const cursor = this.#cursors + index * CURSOR_BYTES;
    view.setUint32(cursor, at, true);
    view.setUint32(cursor + END, end, true);
    view.setUint32(cursor + IS_LAST, isLast ? 1 : 0, true);
  }
}
