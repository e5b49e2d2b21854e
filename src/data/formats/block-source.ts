import { CompressedBlocks } from "./compressed-blocks.ts";
import { fileOf, InputFile } from "./input-file.ts";
import type { Split } from "./splits.ts";

/** Bytes of a file, decompressed, in order. */
export interface BlockSource {
  /** Fills `into` from `at` on, not necessarily to its end; how many bytes, 0 at the file's end. */
  read(into: Uint8Array, at: number): number | Promise<number>;
  /** Bytes read of the file as it is stored. */
  readonly storedBytes: number;
  close(): void;
}

/**
 * Where reading the split's records begins: one byte early, unless it is known where the
 * first record starts. If that byte is a line's end, the first line starts at the split's start.
 */
export const readFrom = ({ start, firstRecord }: Split): number =>
  firstRecord ?? Math.max(0, start - 1);

/** From there to the end of the file: the reader knows when to stop. */
export function openBlocks(split: Split, memoryBytes?: number): BlockSource {
  const { compression } = split;
  return compression === "none"
    ? new PlainBlocks(split)
    : new CompressedBlocks({ ...fileOf(split), by: compression, memoryBytes });
}

/** Blocking reads: the fastest way in Node, and a map has nothing else to do. */
class PlainBlocks implements BlockSource {
  readonly #file: InputFile;
  readonly #from: number;
  readonly #end: number;
  #at: number;
  /** How much is read at once after the split's end; doubled by each read. */
  #afterBytes = AFTER_BYTES;

  constructor(split: Split) {
    this.#file = new InputFile(fileOf(split));
    this.#from = readFrom(split);
    this.#end = split.end;
    this.#at = this.#from;
  }

  get storedBytes(): number {
    return this.#at - this.#from;
  }

  read(into: Uint8Array, at: number): number {
    // Little is wanted after the split's end: the rest of its last record. A long rest is read in
    // few steps.
    const wanted = Math.max(this.#end - this.#at, this.#afterBytes);
    if (this.#at >= this.#end) this.#afterBytes *= 2;
    const read = this.#file.read(into, at, Math.min(into.length - at, wanted), this.#at);
    this.#at += read;
    return read;
  }

  close(): void {
    this.#file.close();
  }
}

const AFTER_BYTES = 4096;
