import { never } from "../../../../base/assert.ts";
import { InputError } from "../../../../base/input-error.ts";
import type { InputFormat } from "../../../../job/index.ts";
import type { Split } from "../splits.ts";
import { textOf } from "./byte-text.ts";
import { endsQuoted, parseFields } from "./csv.ts";
import { InputFile } from "./input-file.ts";
import { Malformed } from "./malformed.ts";

/** How lines become records. */
export interface Framing {
  /**
   * What the line from `start` to `next`, its end included, completes; undefined: no record, or
   * none yet. Throws Malformed.
   */
  record(text: string, start: number, next: number): unknown;
  /** A record has begun that is not complete. */
  readonly isOpen: boolean;
}

/** The formats that are made of lines. */
export type LinesFormat = Extract<InputFormat, { kind: "text" | "ndjson" | "csv" }>;

/** No record may be longer than `recordLengthMax`. */
export function framingOf(format: LinesFormat, split: Split, recordLengthMax: number): Framing {
  switch (format.kind) {
    case "text":
      return { isOpen: false, record: format.encoding === "bytes" ? lineBytes : lineText };
    case "ndjson":
      return { isOpen: false, record: parseLine };
    case "csv":
      return new CsvFraming(format, split, recordLengthMax);
    default:
      return never(format);
  }
}

/** How the bytes of lines become the text that framings are given. */
export function decoderOf(format: LinesFormat): (bytes: Buffer) => string {
  const isPlain = format.kind === "text" && format.encoding !== "utf8";
  return isPlain ? (bytes) => bytes.toString("latin1") : textOf;
}

const lineText = (text: string, start: number, next: number): string =>
  text.slice(start, lineEnd(text, start, next));

const lineBytes = (text: string, start: number, next: number): Uint8Array =>
  Uint8Array.from(Buffer.from(lineText(text, start, next), "latin1"));

/** Where the line's text ends: before its `\n` or `\r\n`, if it has one. */
function lineEnd(text: string, start: number, next: number): number {
  if (text.charCodeAt(next - 1) !== NEWLINE) return next;
  return next - 2 >= start && text.charCodeAt(next - 2) === RETURN ? next - 2 : next - 1;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

function parseLine(text: string, start: number, next: number): unknown {
  const line = text.slice(start, next);
  if (line.trim() === "") return undefined;
  try {
    return JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Malformed(`expected a line of JSON: ${reason}`);
  }
}

type CsvFormat = Extract<InputFormat, { kind: "csv" }>;

class CsvFraming implements Framing {
  readonly #format: CsvFormat;
  readonly #file: string;
  readonly #lengthMax: number;
  /** The lines so far of a record within whose quoted field a line ends. */
  #begun = "";
  #isQuoted = false;
  /**
   * By position; an empty name is a column not wanted. Undefined: the next record is the header.
   */
  #columns: readonly string[] | undefined;

  constructor(format: CsvFormat, split: Split, lengthMax: number) {
    this.#format = format;
    this.#lengthMax = lengthMax;
    this.#file = split.file;
    if (!format.header) this.#columns = format.columns ?? [];
    else if (split.start > 0) this.#columns = this.#header(readHeader(split));
  }

  get isOpen(): boolean {
    return this.#begun !== "";
  }

  record(text: string, start: number, next: number): unknown {
    const line = text.slice(start, next);
    this.#isQuoted = this.#isQuoted !== endsQuoted(line);
    this.#begun += line;
    if (this.#isQuoted) {
      if (this.#begun.length > this.#lengthMax) this.#giveUp();
      return undefined;
    }
    const record = this.#begun;
    this.#begun = "";
    if (record === "\n" || record === "\r\n") return undefined;
    const { separator } = this.#format;
    if (this.#columns !== undefined) {
      return this.#named(parseFields(record, separator), this.#columns);
    }
    this.#columns = this.#header(record);
    return undefined;
  }

  /** A quote that nobody closes: whoever passes over it goes on behind. */
  #giveUp(): never {
    this.#begun = "";
    this.#isQuoted = false;
    const most = `${this.#lengthMax} characters, which is what the task may hold`;
    throw new Malformed(`expected the end of a quoted field within ${most}`);
  }

  /** Nothing in the file can be told without it. */
  #header(record: string): readonly string[] {
    try {
      return this.#wanted(parseFields(record, this.#format.separator));
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      throw new InputError("bad-input", `${this.#file}:1`, error.message);
    }
  }

  #named(fields: readonly string[], columns: readonly string[]): Record<string, string> {
    if (fields.length !== columns.length) {
      throw new Malformed(`expected ${columns.length} fields, found ${fields.length}`);
    }
    const record: Record<string, string> = {};
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i];
      if (column) record[column] = fields[i] ?? "";
    }
    return record;
  }

  #wanted(header: readonly string[]): readonly string[] {
    const { columns } = this.#format;
    if (columns === undefined) return header;
    for (const column of columns) {
      if (header.includes(column)) continue;
      throw new InputError(
        "bad-input",
        `${this.#file}:1`,
        `expected a column ${JSON.stringify(column)}`,
      );
    }
    return header.map((name) => (columns.includes(name) ? name : ""));
  }
}

/** The first record of a file, which names the columns of every split of it. */
function readHeader({ file: path, fileBytes }: Split): string {
  const file = new InputFile(path, fileBytes);
  try {
    let text = "";
    while (text.length < fileBytes) {
      const end = Math.min(text.length + HEADER_BLOCK_BYTES, fileBytes);
      // A line end is one byte in UTF-8, so a cut within a character cannot hide or feign one.
      text += Buffer.from(file.slice(text.length, end)).toString("latin1");
      const next = recordEnd(text);
      if (next >= 0) text = text.slice(0, next);
      if (next >= 0) break;
    }
    return textOf(Buffer.from(text, "latin1")).replace(/^\ufeff/, "");
  } finally {
    file.close();
  }
}

const HEADER_BLOCK_BYTES = 64 * 1024;

/** Behind the first line end outside of quotes; -1 if there is none. */
function recordEnd(text: string): number {
  for (let next = text.indexOf("\n"); next >= 0; next = text.indexOf("\n", next + 1)) {
    if (!endsQuoted(text.slice(0, next))) return next + 1;
  }
  return -1;
}
