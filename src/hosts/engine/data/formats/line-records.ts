import type { Input } from "../../../../job/index.ts";
import { type Lines, SplitReader } from "../split-reader.ts";
import type { Split } from "../splits.ts";
import { decoderOf, type Framing, framingOf, type LinesFormat } from "./framing.ts";
import { InputFile } from "./input-file.ts";
import { type BadRecords, Malformed } from "./malformed.ts";
import type { RecordReader } from "./record-reader.ts";

/** The records that start in a split of lines, in order. */
export class LineRecords implements RecordReader {
  readonly #split: Split;
  readonly #decode: Input<unknown>["decode"];
  readonly #bad: BadRecords;
  readonly #reader: SplitReader;
  readonly #framing: Framing;
  #lines: Lines | undefined;
  /** Where in the current lines the next line starts. */
  #at = 0;
  #linesSeen = 0;
  #isAtRecord = false;
  /** The file's byte at which the split's first line starts. */
  #firstByte = 0;

  constructor(query: {
    readonly split: Split;
    readonly format: LinesFormat;
    readonly decode: Input<unknown>["decode"];
    readonly bad: BadRecords;
    /** Of the task; a longer line is refused. */
    readonly memoryBytes?: number;
  }) {
    const { split, format, decode, bad, memoryBytes } = query;
    this.#split = split;
    this.#decode = decode;
    this.#bad = bad;
    this.#reader = new SplitReader(split, decoderOf(format), memoryBytes);
    this.#framing = framingOf(format, split, recordLengthMax(memoryBytes));
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
      if (this.#framing.isOpen) throw new Malformed("expected the end of a quoted field");
    } catch (error) {
      if (this.#isAtRecord) throw error;
      this.#bad.take(error, () => this.place());
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
      this.#at = next;
      this.#takeLine(text, start, next, take);
      if (past && !this.#framing.isOpen) return;
    }
  }

  #takeLine(text: string, start: number, next: number, take: (record: unknown) => void): void {
    let record: unknown;
    try {
      record = this.#framing.record(text, start, next);
      if (record === undefined) return;
      this.#isAtRecord = true;
      record = this.#decode(record);
    } catch (error) {
      if (this.#isAtRecord && !this.#bad.skips) throw error;
      this.#bad.take(this.#isAtRecord ? refused(error) : error, () => this.place());
      this.#isAtRecord = false;
      return;
    }
    take(record);
    this.#isAtRecord = false;
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
    const before = compression === "none" ? countLines(this.#split, this.#firstByte) : 0;
    return `${file}:${before + this.#linesSeen}`;
  }
}

/** At most what a string holds well. */
const recordLengthMax = (memoryBytes = RECORD_MAX): number =>
  Math.max(RECORD_MIN, Math.min(memoryBytes, RECORD_MAX));

const RECORD_MIN = 1024 * 1024;
const RECORD_MAX = 256 * 1024 * 1024;

/** What the input's own `decode` has thrown: it is the judge of what a record is. */
const refused = (error: unknown): Malformed =>
  new Malformed(error instanceof Error ? error.message : String(error));

function countLines({ file: path, fileBytes }: Split, end: number): number {
  const file = new InputFile(path, fileBytes);
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
