import { ByteWriter } from "../../job/byte-writer.ts";
import { compareBytes } from "../bytes/cursor.ts";
import { ENTRY_BYTES } from "../kernel/kernel.ts";
import { type Entries, keyBytesOf, keyOf } from "./entries.ts";
import { MergeStream } from "./merge-stream.ts";
import type { Workspace } from "./workspace.ts";

/** Selects the first entry of each key from sorted entries that come in batches. */
export class FirstOfKey {
  readonly #space: Workspace;
  /** The last key of the previous batch. */
  readonly #last = new ByteWriter(256);
  readonly #ids: number;
  readonly #values: number;
  #isBegun = false;

  constructor(space: Workspace) {
    this.#space = space;
    this.#ids = space.take(MergeStream.room * 4);
    this.#values = space.take(MergeStream.room * 4);
  }

  /**
   * Moves the selected entries to the front; takes at most as many entries as a stream gives at
   * once.
   */
  of({ at, count }: Entries): Entries {
    if (count === 0) return { at, count };
    const { kernel } = this.#space;
    kernel.equalKeys(at, count, this.#ids, this.#values);
    const isNew = this.#isNew(at);
    this.#keep(at + (count - 1) * ENTRY_BYTES);
    const keys = kernel.firstOfEach(at, count, this.#ids);
    return isNew ? { at, count: keys } : { at: at + ENTRY_BYTES, count: keys - 1 };
  }

  #isNew(entry: number): boolean {
    if (!this.#isBegun) return true;
    const { bytes } = this.#space.memory;
    const start = keyOf(this.#space, entry);
    const end = start + keyBytesOf(this.#space, entry);
    return compareBytes(bytes, start, end, this.#last.bytes, 0, this.#last.length) !== 0;
  }

  #keep(entry: number): void {
    const start = keyOf(this.#space, entry);
    this.#last.length = 0;
    const end = start + keyBytesOf(this.#space, entry);
    this.#last.appendRange(this.#space.memory.bytes, start, end);
    this.#isBegun = true;
  }
}
