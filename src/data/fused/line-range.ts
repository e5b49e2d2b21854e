import { fileOf, InputFile } from "../formats/input-file.ts";
import type { Split } from "../formats/split.ts";

/** Most bytes of a block of lines; no line may be longer. */
export const BLOCK_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;
/** A mark at a file's start that says that it is UTF-8. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const SEARCH_BYTES = 64 * 1024;

/** The lines of a split of a plain file, as the bytes that they are. */
export class LineRange {
  readonly #file: InputFile;
  /** The file's bytes that are the split's lines: those that start in it. */
  readonly start: number;
  readonly end: number;
  /** The last line is too long for kernels, and `end` is not where it ends. */
  readonly isTooLong: boolean;
  #at: number;

  /** Of a file that is not compressed. InputError if it is not what it was. */
  constructor(split: Split) {
    this.#file = new InputFile(fileOf(split));
    try {
      const { start, end } = split;
      const first = start === 0 ? this.#markEnd() : this.#lineEnd(start - 1, end - 1);
      // Within a long line there may be no start of one.
      const behind = first === undefined ? end : this.#lineEnd(end - 1, end + BLOCK_BYTES);
      this.start = first ?? end;
      this.end = Math.max(this.start, behind ?? end);
      this.isTooLong = behind === undefined;
      this.#at = this.start;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get isAtEnd(): boolean {
    return this.#at === this.end;
  }

  /** The file's bytes that are behind us. */
  get bytesRead(): number {
    return this.#at - this.start;
  }

  /** Reads at most so many bytes; how many, 0 at the end. */
  read(into: Uint8Array, at: number, bytes: number): number {
    const wanted = Math.min(bytes, this.end - this.#at);
    if (wanted === 0) return 0;
    const size = this.#file.read(into, at, wanted, this.#at);
    this.#at += size;
    return size;
  }

  /** To the first line again. */
  rewind(): void {
    this.#at = this.start;
  }

  close(): void {
    this.#file.close();
  }

  #markEnd(): number {
    const first = this.#file.slice(0, Math.min(MARK.length, this.#file.bytes));
    return MARK.equals(first) ? MARK.length : 0;
  }

  /**
   * Behind the first line end from the byte on, or the file's end. Undefined: `before` there is
   * neither.
   */
  #lineEnd(from: number, before: number): number | undefined {
    const { bytes } = this.#file;
    const block = new Uint8Array(SEARCH_BYTES);
    for (let at = Math.max(0, from); at < bytes; ) {
      if (at >= before) return undefined;
      const size = this.#file.read(block, 0, block.length, at);
      const end = block.subarray(0, size).indexOf(NEWLINE);
      if (end >= 0) return at + end + 1;
      at += size;
    }
    return bytes;
  }
}
