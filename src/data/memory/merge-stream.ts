import { defined } from "../../base/assert.ts";
import { BLOCK_HEADER_BYTES } from "../bytes/run-format.ts";
import { CURSOR_BYTES, ENTRY_BYTES } from "../kernel/kernel.ts";
import { type Entries, NO_ENTRIES } from "./entries.ts";
import type { Workspace } from "./workspace.ts";

/** One sorted stream of records. */
export type RunSource =
  /** All of it is in the workspace. */
  { readonly kind: "memory"; readonly at: number; readonly end: number } | BlockSource;

/** Blocks, header and all, each gone when the next is asked for. */
interface BlockSource {
  readonly kind: "blocks";
  /** `room`: a buffer that the source may fill, but need not. */
  blocks(room: () => Buffer): Iterator<Buffer, void, undefined>;
  readonly blockBytesMax: number;
}

/** A source whose records are in memory as a whole, or a window that shows one block of it. */
type Window =
  | { readonly kind: "whole" }
  | {
      readonly kind: "block";
      readonly at: number;
      readonly blocks: Iterator<Buffer, void, undefined>;
    };

/** Entries that are merged at once. */
const ROOM = 8192;

/** Places of a cursor's fields. */
const END = 4;
const IS_LAST = 8;

/**
 * Several sorted streams as one: records of one key come in the order of the sources. Works in what
 * is free of the workspace, and holds a window of each source.
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
    // An entry before the others is the caller's.
    this.#entries = space.take((ROOM + 1) * ENTRY_BYTES) + ENTRY_BYTES;
    for (const [i, source] of sources.entries()) this.#open(i, source);
  }

  /** How many entries there are at most at once. */
  static readonly room = ROOM;

  /** Records that have been given. */
  get merged(): number {
    return this.#merged;
  }

  /** The caller's entry, before those that `next` gives. */
  get spare(): number {
    return this.#entries - ENTRY_BYTES;
  }

  /** The next records, valid until the call after; none: there are no more. */
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
      // Memory that grows is other memory.
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
