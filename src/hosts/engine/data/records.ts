import { closeSync, openSync, readSync } from "node:fs";
import { InputError } from "../../../base/input-error.ts";
import type { Input } from "../../../job/index.ts";
import { type Framing, framingOf } from "./framing.ts";
import { type Lines, SplitReader } from "./split-reader.ts";
import type { Split } from "./splits.ts";

/** The records that start in a split, in order. */
export class Records {
  readonly #split: Split;
  readonly #input: Input<unknown>;
  readonly #reader: SplitReader;
  readonly #framing: Framing;
  #lines: Lines | undefined;
  /** Where in the current lines the next line starts. */
  #at = 0;
  #linesSeen = 0;
  #isAtRecord = false;
  /** The file's byte at which the split's first line starts. */
  #firstByte = 0;

  constructor(split: Split, input: Input<unknown>) {
    this.#split = split;
    this.#input = input;
    this.#reader = new SplitReader(split);
    this.#framing = framingOf(input, split, () => this.place());
  }

  /** Hands over each record; call it once. */
  async forEach(take: (record: unknown) => void): Promise<void> {
    try {
      for await (const lines of this.#reader.lines()) {
        if (lines.past && !this.#framing.isOpen) break;
        if (this.#lines === undefined) this.#firstByte = lines.start;
        this.#lines = lines;
        this.#at = 0;
        this.#takeLines(lines, take);
      }
      if (this.#framing.isOpen) {
        throw new InputError("bad-input", this.place(), "expected the end of a quoted field");
      }
    } finally {
      this.#reader.close();
    }
  }

  #takeLines({ text, past }: Lines, take: (record: unknown) => void): void {
    while (this.#at < text.length) {
      const start = this.#at;
      const end = text.indexOf("\n", start);
      const next = end < 0 ? text.length : end + 1;
      this.#linesSeen++;
      const record = this.#framing.record(text, start, next);
      this.#at = next;
      if (record !== undefined) {
        this.#isAtRecord = true;
        take(this.#input.decode(record));
        this.#isAtRecord = false;
      }
      if (past && !this.#framing.isOpen) return;
    }
  }

  /** A record is being handed over: what is thrown now is the taker's doing. */
  get isAtRecord(): boolean {
    return this.#isAtRecord;
  }

  /** Stored bytes of the split that are behind us. */
  get bytesRead(): number {
    const { start, end, compression } = this.#split;
    if (compression !== "none" || this.#lines === undefined) return this.#reader.storedBytes;
    const lines = this.#lines;
    const within = lines.text.length === 0 ? 0 : (lines.bytes * this.#at) / lines.text.length;
    return Math.min(end, Math.floor(lines.start + within)) - start;
  }

  /** The fraction of the split that is behind us. */
  get score(): number {
    const { start, end } = this.#split;
    return start === end ? 1 : Math.min(1, this.bytesRead / (end - start));
  }

  /** The file and line of the current record. COST: counts the lines before it; for errors only. */
  place(): string {
    const { file, compression } = this.#split;
    const before = compression === "none" ? countLines(file, this.#firstByte) : 0;
    return `${file}:${before + this.#linesSeen}`;
  }
}

function countLines(file: string, end: number): number {
  const handle = openSync(file, "r");
  try {
    const block = Buffer.allocUnsafe(1024 * 1024);
    let lines = 0;
    for (let at = 0; at < end; ) {
      const size = readSync(handle, block, 0, Math.min(block.length, end - at), at);
      if (size === 0) break;
      for (const byte of block.subarray(0, size)) if (byte === 0x0a) lines++;
      at += size;
    }
    return lines;
  } finally {
    closeSync(handle);
  }
}
