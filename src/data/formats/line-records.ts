import { InputError } from "../../base/input-error.ts";
import type { Input } from "../../job/index.ts";
import type { Opening } from "./format.ts";
import type { Framing } from "./framing.ts";
import { fileOf, InputFile } from "./input-file.ts";
import { type BadRecords, Malformed } from "./malformed.ts";
import type { RecordReader } from "./record-reader.ts";
import type { Split } from "./split.ts";
import { type LineReader, SplitReader } from "./split-reader.ts";

/** The records that start in a split of lines, in order. */
export class LineRecords implements RecordReader {
  readonly #split: Split;
  readonly #decode: Input<unknown>["decode"];
  readonly #bad: BadRecords;
  readonly #reader: SplitReader;
  readonly #framing: Framing;
  #lines: LineReader | undefined;
  /** The place in the current lines where the next line starts. */
  #at = 0;
  #linesSeen = 0;
  /** The number, from 1, of the line at which the current record begins. */
  #recordLine = 0;
  /** Lines that are to be read again before the others, the first of them last. */
  readonly #again: Again[] = [];
  /** Characters read of lines after the split, for a record that extends past its end. */
  #pastLength = 0;
  #isAtRecord = false;
  /** The place in the file at which the split's first line starts. */
  #firstByte = 0;

  /** `textOf`: decodes the bytes of lines to text. A line longer than the memory is refused. */
  constructor(
    query: Opening & { readonly textOf: (bytes: Buffer) => string; readonly framing: Framing },
  ) {
    const { split, decode, bad, framing, memoryBytes, textOf } = query;
    this.#split = split;
    this.#decode = decode;
    this.#bad = bad;
    this.#reader = new SplitReader(split, textOf, memoryBytes);
    this.#framing = framing;
  }

  async *pieces(take: (record: unknown) => void): AsyncGenerator<void, void, undefined> {
    try {
      for await (const lines of this.#reader.lines()) {
        if (lines.past && !this.#framing.isOpen) break;
        if (this.#lines === undefined) this.#firstByte = lines.start;
        this.#lines = lines;
        this.#at = 0;
        this.#takeLines(lines, take);
        yield;
      }
      while (this.#framing.isOpen) this.#end(take);
    } catch (error) {
      if (this.#isAtRecord) throw error;
      this.#bad.take(error, () => this.place());
    } finally {
      this.#reader.close();
    }
  }

  #takeLines({ text, past }: LineReader, take: (record: unknown) => void): void {
    while (this.#at < text.length) {
      if (past && !this.#framing.isOpen) return;
      const start = this.#at;
      this.#at = nextLine(text, start);
      this.#takeLine({ text, past }, start, this.#at, take);
      if (this.#again.length > 0) this.#takeAgain(take);
    }
  }

  /** Reads the lines of records that were given up, in which others may begin. */
  #takeAgain(take: (record: unknown) => void): void {
    for (let lines = this.#again.pop(); lines !== undefined; lines = this.#again.pop()) {
      const { text, past } = lines;
      // The first record of the next split begins here.
      if (past && !this.#framing.isOpen) continue;
      const next = nextLine(text, 0);
      if (next < text.length) this.#again.push({ text: text.slice(next), past });
      this.#takeLine(lines, 0, next, take);
    }
  }

  /** There are no more lines. */
  #end(take: (record: unknown) => void): void {
    try {
      this.#framing.end();
    } catch (error) {
      this.#giveUp(error);
    }
    this.#takeAgain(take);
  }

  #takeLine(
    { text, past }: Again,
    start: number,
    next: number,
    take: (record: unknown) => void,
  ): void {
    if (!this.#framing.isOpen) this.#recordLine = this.#linesSeen + 1;
    this.#linesSeen++;
    if (past) this.#pastLength += next - start;
    let record: unknown;
    try {
      record = this.#framing.record(text, start, next);
      if (record === undefined) return;
      this.#isAtRecord = true;
      record = this.#decode(record);
    } catch (error) {
      this.#giveUp(withRecord(this.#isAtRecord ? this.#refused(error) : error, text, start, next));
      return;
    }
    take(record);
    this.#isAtRecord = false;
  }

  /** Skips a malformed record, and queues its lines, except the first, to be read again. */
  #giveUp(error: unknown): void {
    this.#bad.take(error, () => this.place());
    const again = this.#framing.giveBack();
    if (again === "") return;
    for (const char of again) if (char === "\n") this.#linesSeen--;
    if (!again.endsWith("\n")) this.#linesSeen--;
    const own = again.length - Math.min(again.length, this.#pastLength);
    this.#pastLength -= again.length - own;
    if (own < again.length) this.#again.push({ text: again.slice(own), past: true });
    if (own > 0) this.#again.push({ text: again.slice(0, own), past: false });
  }

  /**
   * An error of the input's own `decode`, which decides whether a record is valid. If no records
   * are skipped, the user's error is thrown unchanged.
   */
  #refused(error: unknown): unknown {
    if (!(error instanceof InputError) && !this.#bad.skips) return error;
    this.#isAtRecord = false;
    return new Malformed(error instanceof Error ? error.message : String(error));
  }

  /** Whether a record is being handed over: an error thrown now comes from the receiver. */
  get isAtRecord(): boolean {
    return this.#isAtRecord;
  }

  /** Stored bytes of the split that have been read. */
  get bytesRead(): number {
    const { start, end, compression } = this.#split;
    if (compression !== "none" || this.#lines === undefined) return this.#reader.storedBytes;
    const lines = this.#lines;
    const within = lines.text.length === 0 ? 0 : (lines.bytes * this.#at) / lines.text.length;
    return Math.min(end, Math.floor(lines.start + within)) - start;
  }

  /** The fraction of the split that has been read. */
  get score(): number {
    const { start, end } = this.#split;
    return start === end ? 1 : Math.min(1, this.bytesRead / (end - start));
  }

  /** The current record's line, counted from the split's first. */
  get at(): number {
    return this.#recordLine;
  }

  /** The file and line of a record. COST: counts the lines before it; for errors only. */
  place(at = this.at): string {
    const { file, compression } = this.#split;
    const before = compression === "none" ? countLines(this.#split, this.#firstByte) : 0;
    return `${file}:${before + at}`;
  }
}

/** Lines that are read again. */
type Again = Pick<LineReader, "text" | "past">;

function nextLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end + 1;
}

/** The record's text is the line unless the error says otherwise. */
function withRecord(error: unknown, text: string, start: number, next: number): unknown {
  if (!(error instanceof Malformed) || error.record !== undefined) return error;
  return new Malformed(error.message, { record: text.slice(start, next) });
}

function countLines(split: Split, end: number): number {
  const file = new InputFile(fileOf(split));
  try {
    const block = Buffer.allocUnsafe(1024 * 1024);
    let lines = 0;
    for (let at = 0; at < end; ) {
      const size = file.read(block, 0, Math.min(block.length, end - at), at);
      for (const byte of block.subarray(0, size)) if (byte === 0x0a) lines++;
      at += size;
    }
    return lines;
  } finally {
    file.close();
  }
}
