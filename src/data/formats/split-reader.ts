import { InputError } from "../../base/input-error.ts";
import { type BlockSource, openBlocks, readFrom } from "./block-source.ts";
import type { Split } from "./split.ts";

/** Whole lines of a file, decoded. */
export interface LineReader {
  /** Lines with their line ends; the last line of a file may lack its end. */
  readonly text: string;
  readonly bytes: number;
  /** The place in the decompressed file at which the lines start. */
  readonly start: number;
  /**
   * Whether the lines start at or after the split's end; they belong to the split only if one of
   * its records extends into them.
   */
  readonly past: boolean;
}

const NEWLINE = 0x0a;
const BLOCK_BYTES = 256 * 1024;
/**
 * The bytes of lines that become a string at a time. A larger string would lie outside the young
 * heap, or outside the heap, and be freed only by a full collection.
 */
const PIECE_BYTES = 64 * 1024;
/** Lines of this length are read however little memory there is. */
const LINE_BYTES_MIN = 1024 * 1024;
/** A string can hold no more than twice this. */
const LINE_BYTES_MAX = 256 * 1024 * 1024;

/**
 * The lines of a split, in pieces of about 64 KB: from the first that starts in it to the last, and
 * then, while the caller asks for more, the lines after it.
 */
export class SplitReader {
  readonly #split: Split;
  readonly #decode: (bytes: Buffer) => string;
  readonly #source: BlockSource;
  readonly #lineBytesMax: number;
  #buffer = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  /** The place in `#buffer` of the first byte that has been read and not taken. */
  #from = 0;
  #to = 0;
  /** The number of bytes from `#from` on that hold no line end and need no search. */
  #bare = 0;
  /** The place in the file of the byte at `#from`. */
  #base: number;
  #ended = false;

  /** A line longer than `memoryBytes` is refused. */
  constructor(
    split: Split,
    decode: (bytes: Buffer) => string,
    memoryBytes = Number.POSITIVE_INFINITY,
  ) {
    this.#split = split;
    this.#lineBytesMax = Math.max(LINE_BYTES_MIN, Math.min(memoryBytes, LINE_BYTES_MAX));
    this.#decode = decode;
    this.#source = openBlocks(split, memoryBytes);
    this.#base = readFrom(split);
  }

  /** Bytes of the stored file that have been read. */
  get storedBytes(): number {
    return this.#source.storedBytes;
  }

  async *lines(): AsyncGenerator<LineReader, void, undefined> {
    if (this.#split.start > 0 && this.#split.firstRecord === undefined) {
      if (!(await this.#skipLine())) return;
    }
    for (;;) {
      const cut = this.#cut();
      if (cut > 0) yield this.#take(cut);
      else if (this.#ended) return;
      else await this.#fill();
    }
  }

  close(): void {
    this.#source.close();
  }

  /**
   * Drops the rest of the line that belongs to the previous split; returns false if no line starts
   * in this one. A line that is too long by itself is refused, as in the task in whose split it
   * starts.
   */
  async #skipLine(): Promise<boolean> {
    const start = this.#base;
    for (;;) {
      const end = this.#lineEnd(0);
      this.#drop(end === 0 ? this.#to - this.#from : end);
      if (end > 0) return true;
      if (this.#base - start > this.#lineBytesMax) throw this.#tooLong(start);
      if (this.#ended || this.#base >= this.#split.end - 1) return false;
      await this.#fill();
    }
  }

  /** The number of bytes to take: whole lines, all within the split or all after it. */
  #cut(): number {
    const length = this.#to - this.#from;
    const last = this.#isUnbounded ? -1 : this.#split.end - 1 - this.#base;
    if (last >= 0 && last < Math.min(length, PIECE_BYTES)) {
      const end = this.#lineEnd(last);
      if (end > 0) return end;
    }
    if (length > PIECE_BYTES) {
      const end = this.#lastLineEnd(PIECE_BYTES) || this.#lineEnd(PIECE_BYTES);
      if (end > 0) return end;
    }
    return this.#ended ? length : this.#lastLineEnd(length);
  }

  /** The place after the first line end from `start` on; 0 if there is none. */
  #lineEnd(start: number): number {
    const first = Math.max(start, this.#bare);
    const at = this.#buffer.subarray(this.#from + first, this.#to).indexOf(NEWLINE);
    if (at >= 0) return first + at + 1;
    if (start <= this.#bare) this.#bare = this.#to - this.#from;
    return 0;
  }

  /** The place after the last line end before `end`; 0 if there is none. */
  #lastLineEnd(end: number): number {
    if (end <= this.#bare) return 0;
    const first = this.#from + this.#bare;
    const at = this.#buffer.subarray(first, this.#from + end).lastIndexOf(NEWLINE);
    if (at >= 0) return this.#bare + at + 1;
    this.#bare = end;
    return 0;
  }

  /** A compressed file is one split, whose end says nothing about its decompressed bytes. */
  get #isUnbounded(): boolean {
    return this.#split.compression !== "none";
  }

  #take(bytes: number): LineReader {
    const past = !this.#isUnbounded && this.#base >= this.#split.end;
    const start = this.#base;
    const taken = this.#buffer.subarray(this.#from, this.#from + bytes);
    const text = this.#decode(taken);
    this.#drop(bytes);
    const isMarked = start === 0 && text.startsWith("\ufeff");
    return { text: isMarked ? text.slice(1) : text, bytes, start, past };
  }

  #drop(bytes: number): void {
    this.#from += bytes;
    this.#base += bytes;
    this.#bare = Math.max(0, this.#bare - bytes);
  }

  async #fill(): Promise<void> {
    if (this.#from > 0) {
      this.#buffer.copyWithin(0, this.#from, this.#to);
      this.#to -= this.#from;
      this.#from = 0;
    }
    if (this.#to === this.#buffer.length) this.#grow();
    const size = await this.#source.read(this.#buffer, this.#to);
    this.#to += size;
    this.#ended = size === 0;
  }

  #grow(): void {
    const max = this.#lineBytesMax;
    if (this.#buffer.length >= max) throw this.#tooLong(this.#base);
    const grown = Buffer.allocUnsafeSlow(Math.min(max, 2 * this.#buffer.length));
    this.#buffer.copy(grown, 0, 0, this.#to);
    this.#buffer = grown;
  }

  #tooLong(at: number): InputError {
    return new InputError(
      "bad-input",
      `${this.#split.file}: byte ${at}`,
      `expected a line end within ${this.#lineBytesMax} bytes, the most that the task may hold`,
    );
  }
}
