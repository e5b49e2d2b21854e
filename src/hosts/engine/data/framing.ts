import { closeSync, openSync, readSync } from "node:fs";
import { never } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import type { Input } from "../../../job/index.ts";
import { endsQuoted, parseFields } from "./csv.ts";
import type { Split } from "./splits.ts";

/** How lines become records. */
export interface Framing {
  /**
   * What the line from `start` to `next`, its end included, completes; undefined: no record, or
   * none yet.
   */
  record(text: string, start: number, next: number): unknown;
  /** A record has begun that is not complete. */
  readonly isOpen: boolean;
}

/** `place` tells the file and line of the current line. */
export function framingOf(input: Input<unknown>, split: Split, place: () => string): Framing {
  const { format } = input;
  switch (format.kind) {
    case "text":
      return {
        isOpen: false,
        record: (text, start, next) => text.slice(start, lineEnd(text, start, next)),
      };
    case "ndjson":
      return {
        isOpen: false,
        record: (text, start, next) => parseLine(text.slice(start, next), place),
      };
    case "csv":
      return new CsvFraming(format, split, place);
    default:
      return never(format);
  }
}

/** Where the line's text ends: before its `\n` or `\r\n`, if it has one. */
function lineEnd(text: string, start: number, next: number): number {
  if (text.charCodeAt(next - 1) !== NEWLINE) return next;
  return next - 2 >= start && text.charCodeAt(next - 2) === RETURN ? next - 2 : next - 1;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

function parseLine(line: string, place: () => string): unknown {
  if (line.trim() === "") return undefined;
  try {
    return JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError("bad-input", place(), `expected a line of JSON: ${reason}`);
  }
}

type CsvFormat = Extract<Input<unknown>["format"], { kind: "csv" }>;

class CsvFraming implements Framing {
  readonly #format: CsvFormat;
  readonly #file: string;
  readonly #place: () => string;
  /** The lines so far of a record within whose quoted field a line ends. */
  #begun = "";
  #isQuoted = false;
  /**
   * By position; an empty name is a column not wanted. Undefined: the next record is the header.
   */
  #columns: readonly string[] | undefined;

  constructor(format: CsvFormat, split: Split, place: () => string) {
    this.#format = format;
    this.#file = split.file;
    this.#place = place;
    if (!format.header) this.#columns = format.columns ?? [];
    else if (split.start > 0)
      this.#columns = this.#wanted(readHeader(split.file, format.separator));
  }

  get isOpen(): boolean {
    return this.#begun !== "";
  }

  record(text: string, start: number, next: number): unknown {
    const line = text.slice(start, next);
    this.#isQuoted = this.#isQuoted !== endsQuoted(line);
    this.#begun += line;
    if (this.#isQuoted) return undefined;
    const record = this.#begun;
    this.#begun = "";
    if (record === "\n" || record === "\r\n") return undefined;
    const fields = parseFields(record, this.#format.separator, this.#place);
    if (this.#columns !== undefined) return this.#named(fields, this.#columns);
    this.#columns = this.#wanted(fields);
    return undefined;
  }

  #named(fields: readonly string[], columns: readonly string[]): Record<string, string> {
    if (fields.length !== columns.length) {
      const expected = `expected ${columns.length} fields, found ${fields.length}`;
      throw new InputError("bad-input", this.#place(), expected);
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
function readHeader(file: string, separator: string): readonly string[] {
  const handle = openSync(file, "r");
  try {
    let text = "";
    const block = Buffer.allocUnsafe(64 * 1024);
    for (let at = 0; ; ) {
      // A line end is one byte in UTF-8, so a cut within a character cannot hide or feign one.
      const size = readSync(handle, block, 0, block.length, at);
      text += block.toString("latin1", 0, size);
      at += size;
      const end = recordEnd(text);
      if (end < 0 && size > 0) continue;
      const record = Buffer.from(end < 0 ? text : text.slice(0, end), "latin1").toString("utf8");
      return parseFields(record.replace(/^\ufeff/, ""), separator, () => `${file}:1`);
    }
  } finally {
    closeSync(handle);
  }
}

/** Behind the first line end outside of quotes; -1 if there is none. */
function recordEnd(text: string): number {
  for (let next = text.indexOf("\n"); next >= 0; next = text.indexOf("\n", next + 1)) {
    if (!endsQuoted(text.slice(0, next))) return next + 1;
  }
  return -1;
}
