import { fileOf, InputFile } from "../formats/input-file.ts";
import type { Split } from "../formats/split.ts";

/** The most bytes of a block of lines; no line may be longer. */
export const BLOCK_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;
/** The byte-order mark of UTF-8 at a file's start. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const SEARCH_BYTES = 64 * 1024;

/** The lines of a split of a plain file, as raw bytes. */
export class LineRange {
  readonly #file: InputFile;
  /** The place in the file of the first line that starts in the split; `end` follows the last. */
  readonly start: number;
  readonly end: number;
  /** Whether the last line is too long for the kernels; `end` is then not its end. */
  readonly isTooLong: boolean;
  #at: number;

  /** For an uncompressed file. Throws an InputError if the file has changed. */
  constructor(split: Split) {
    this.#file = new InputFile(fileOf(split));
    try {
      const { start, end } = split;
      const first = start === 0 ? this.#markEnd() : this.#lineEnd(start - 1, end - 1);
      // Within a long line no line may start.
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

  /** The number of the file's bytes that have been read. */
  get bytesRead(): number {
    return this.#at - this.start;
  }

  /** Reads at most `bytes` bytes; returns their number, 0 at the end. */
  read(into: Uint8Array, at: number, bytes: number): number {
    const wanted = Math.min(bytes, this.end - this.#at);
    if (wanted === 0) return 0;
    const size = this.#file.read(into, at, wanted, this.#at);
    this.#at += size;
    return size;
  }

  /** Goes back to the first line. */
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
   * The place after the first line end from `from` on, or the file's end. Undefined if neither lies
   * before `before`.
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
