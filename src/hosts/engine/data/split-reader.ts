import { InputError } from "../../../base/input-error.ts";
import { type BlockSource, openBlocks } from "./block-source.ts";
import type { Split } from "./splits.ts";

/** Whole lines of a file, decoded. */
export interface Lines {
  /** Each line with its line end; the last of a file may lack one. */
  readonly text: string;
  readonly bytes: number;
  /** The byte of the file (decompressed) at which they start. */
  readonly start: number;
  /**
   * They start at or after the split's end, and belong to it only if a record reaches into them.
   */
  readonly past: boolean;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BLOCK_BYTES = 1024 * 1024;
/** A string can hold no more than twice as much. */
const LINE_BYTES_MAX = 256 * 1024 * 1024;

/**
 * The lines of a split, in pieces of about 1 MB: from the first line that starts in it to the last,
 * and then, for as long as the caller asks for more, the lines after it.
 */
export class SplitReader {
  readonly #split: Split;
  readonly #decode: (bytes: Buffer) => string;
  readonly #source: BlockSource;
  readonly #lineBytesMax: number;
  #buffer = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  /** Bytes of `#buffer` that are filled. */
  #length = 0;
  /** The file's byte that `#buffer` starts with. */
  #base: number;
  #ended = false;

  /** `memoryBytes`: a longer line is refused. */
  constructor(
    split: Split,
    decode: (bytes: Buffer) => string,
    memoryBytes = Number.POSITIVE_INFINITY,
  ) {
    this.#split = split;
    this.#lineBytesMax = Math.max(BLOCK_BYTES, Math.min(memoryBytes, LINE_BYTES_MAX));
    this.#decode = decode;
    this.#source = openBlocks(split);
    // One byte early: if it is a line's end, the split's first line starts at the split's start.
    this.#base = Math.max(0, split.start - 1);
  }

  /** Bytes read of the file as it is stored. */
  get storedBytes(): number {
    return this.#source.storedBytes;
  }

  async *lines(): AsyncGenerator<Lines, void, undefined> {
    if (this.#split.start > 0) await this.#skipLine();
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

  /** Drops what belongs to the split before: up to the first line end outside of quotes. */
  async #skipLine(): Promise<void> {
    let quoted = this.#split.quotes === "odd";
    const counts = this.#split.quotes !== "uncounted";
    for (;;) {
      for (let i = 0; i < this.#length; i++) {
        const byte = this.#buffer[i];
        if (counts && byte === QUOTE) quoted = !quoted;
        if (byte === NEWLINE && !quoted) return this.#drop(i + 1);
      }
      this.#drop(this.#length);
      if (this.#ended) return;
      await this.#fill();
    }
  }

  /** How many bytes of the buffer are whole lines, all of them in the split or all after it. */
  #cut(): number {
    const last = this.#split.end - 1 - this.#base;
    if (last >= 0 && last < this.#length && !this.#isUnbounded) {
      const end = this.#buffer.indexOf(NEWLINE, last);
      if (end >= 0 && end < this.#length) return end + 1;
    }
    if (this.#ended) return this.#length;
    return this.#length === 0 ? 0 : this.#buffer.lastIndexOf(NEWLINE, this.#length - 1) + 1;
  }

  /** A compressed file is one split, whose end says nothing about its decompressed bytes. */
  get #isUnbounded(): boolean {
    return this.#split.compression !== "none";
  }

  #take(bytes: number): Lines {
    const past = !this.#isUnbounded && this.#base >= this.#split.end;
    const start = this.#base;
    const taken = this.#buffer.subarray(0, bytes);
    const text = this.#decode(taken);
    this.#drop(bytes);
    const isMarked = start === 0 && text.startsWith("\ufeff");
    return { text: isMarked ? text.slice(1) : text, bytes, start, past };
  }

  #drop(bytes: number): void {
    this.#buffer.copyWithin(0, bytes, this.#length);
    this.#length -= bytes;
    this.#base += bytes;
  }

  async #fill(): Promise<void> {
    if (this.#length === this.#buffer.length) this.#grow();
    const size = await this.#source.read(this.#buffer, this.#length);
    this.#length += size;
    this.#ended = size === 0;
  }

  #grow(): void {
    const max = this.#lineBytesMax;
    if (this.#buffer.length >= max) {
      throw new InputError(
        "bad-input",
        `${this.#split.file}: byte ${this.#base}`,
        `expected a line end within ${max} bytes, which is what the task may hold`,
      );
    }
    const grown = Buffer.allocUnsafeSlow(Math.min(max, 2 * this.#buffer.length));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}
