import { assert } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import type { InputFormat } from "../../job/index.ts";
import { bytesOf, textOf } from "./byte-text.ts";
import { parseFields } from "./csv.ts";
import { afterLine, OPEN_BYTES_MAX } from "./csv-quotes.ts";
import type { Framing } from "./framing.ts";
import { fileOf, InputFile } from "./input-file.ts";
import { Malformed } from "./malformed.ts";
import type { Split } from "./split.ts";

type CsvFormat = Extract<InputFormat, { kind: "csv" }>;

/** Joins the lines of a CSV file into records; `csvStarts` walks over records by the same rules. */
export class CsvFraming implements Framing {
  readonly #format: CsvFormat;
  readonly #file: string;
  /** The lines read of a record whose quoted field contains a line end. */
  #begun = "";
  #begunBytes = 0;
  /** The number of characters in the first of these lines. */
  #firstLine = 0;
  #givenUp = "";
  /**
   * Names by position; an empty name is an unwanted column. Undefined if the next record is the
   * header.
   */
  #columns: readonly string[] | undefined;

  constructor(format: CsvFormat, split: Split) {
    this.#format = format;
    this.#file = split.file;
    if (!format.header) this.#columns = eachOnce(format.columns ?? [], this.#file);
    else if (split.start > 0) this.#columns = this.#header(readHeader(split, format.separator));
  }

  get isOpen(): boolean {
    return this.#begun !== "";
  }

  record(text: string, start: number, next: number): unknown {
    const line = text.slice(start, next);
    const after = afterLine(line, this.#format.separator, this.isOpen);
    if (after !== "whole" || this.isOpen) this.#begin(line);
    if (after === "open") {
      if (this.#begunBytes > OPEN_BYTES_MAX) this.#giveUp(UNCLOSED);
      return undefined;
    }
    if (after === "misplaced") this.#giveUp(problemOf(this.#begun, this.#format.separator));
    const record = this.isOpen ? this.#take() : line;
    if (record === "\n" || record === "\r\n") return undefined;
    if (this.#columns !== undefined) return this.#named(record, this.#columns);
    this.#columns = this.#header(record);
    return undefined;
  }

  end(): void {
    if (this.isOpen) this.#giveUp("expected the end of a quoted field");
  }

  giveBack(): string {
    const lines = this.#givenUp;
    this.#givenUp = "";
    return lines;
  }

  #begin(line: string): void {
    if (!this.isOpen) this.#firstLine = line.length;
    this.#begun += line;
    this.#begunBytes += bytesOf(line).length;
  }

  #take(): string {
    const record = this.#begun;
    this.#begun = "";
    this.#begunBytes = 0;
    return record;
  }

  /**
   * Gives up the record's first line and no more, since it is unclear which of the record's quotes
   * is misplaced.
   */
  #giveUp(problem: string): never {
    const record = this.#take();
    this.#givenUp = record.slice(this.#firstLine);
    const malformed = new Malformed(problem, { record });
    if (this.#columns === undefined) throw this.#withoutHeader(malformed);
    throw malformed;
  }

  #header(record: string): readonly string[] {
    try {
      return this.#wanted(parseFields(record, this.#format.separator));
    } catch (error) {
      throw error instanceof Malformed ? this.#withoutHeader(error) : error;
    }
  }

  /** Without its header, no part of the file can be understood. */
  #withoutHeader({ message }: Malformed): InputError {
    return new InputError("bad-input", `${this.#file}:1`, message);
  }

  #named(record: string, columns: readonly string[]): Record<string, string> {
    const fields = parseFields(record, this.#format.separator);
    if (fields.length !== columns.length) {
      throw new Malformed(`expected ${columns.length} fields, found ${fields.length}`, { record });
    }
    const named: Record<string, string> = {};
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i];
      if (column === "__proto__") defineProto(named, fields[i] ?? "");
      else if (column) named[column] = fields[i] ?? "";
    }
    return named;
  }

  #wanted(header: readonly string[]): readonly string[] {
    const { columns } = this.#format;
    eachOnce(
      columns === undefined ? header : header.filter((name) => columns.includes(name)),
      this.#file,
    );
    if (columns === undefined) return header;
    for (const column of columns) {
      if (header.includes(column)) continue;
      const found = header.map((name) => JSON.stringify(name)).join(", ");
      const expected = `expected a column ${JSON.stringify(column)}, found ${found}`;
      throw new InputError("bad-input", `${this.#file}:1`, expected);
    }
    return header.map((name) => (columns.includes(name) ? name : ""));
  }
}

/**
 * Throws an InputError if two wanted columns have one name; a record would lose one of them.
 * Columns without a name are unwanted.
 */
function eachOnce(columns: readonly string[], file: string): readonly string[] {
  const seen = new Set<string>();
  for (const name of columns) {
    if (name === "") continue;
    if (seen.has(name)) {
      const expected = "expected each column once, found two named";
      throw new InputError("bad-input", `${file}:1`, `${expected} ${JSON.stringify(name)}`);
    }
    seen.add(name);
  }
  return columns;
}

/** A plain assignment would set the prototype, or do nothing. */
function defineProto(record: object, value: string): void {
  const how = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(record, "__proto__", how);
}

const UNCLOSED = `expected the end of a quoted field within ${OPEN_BYTES_MAX} bytes`;

/** Says what is wrong with a record whose quotes are misplaced. */
function problemOf(record: string, separator: string): string {
  try {
    parseFields(record, separator);
  } catch (error) {
    if (error instanceof Malformed) return error.message;
    throw error;
  }
  assert(false, "misplaced quotes throw");
}

/** The first record of a file, which names the columns for every split of the file. */
function readHeader(split: Split, separator: string): string {
  const { fileBytes } = split;
  const file = new InputFile(fileOf(split));
  try {
    let text = "";
    let header = 0;
    while (header === 0 && text.length < fileBytes) {
      // Each attempt looks at the text from its start again, so each reads twice as much.
      const end = Math.min(Math.max(2 * text.length, HEADER_BLOCK_BYTES), fileBytes);
      // A line end is one byte in UTF-8, so a cut within a character neither hides nor makes one.
      text += Buffer.from(file.slice(text.length, end)).toString("latin1");
      header = headerEnd(text, Buffer.from(separator).toString("latin1"));
    }
    const bytes = Buffer.from(header === 0 ? text : text.slice(0, header), "latin1");
    return textOf(bytes).replace(/^\ufeff/, "");
  } finally {
    file.close();
  }
}

const HEADER_BLOCK_BYTES = 64 * 1024;

/**
 * The place after the line that completes the header, or shows that there can be none; 0 if that
 * line is not read yet.
 */
function headerEnd(text: string, separator: string): number {
  let start = text.startsWith("\xef\xbb\xbf") ? 3 : 0;
  for (let isOpen = false; ; isOpen = true) {
    const next = text.indexOf("\n", start) + 1;
    if (next === 0) return 0;
    if (afterLine(text.slice(start, next), separator, isOpen) !== "open") return next;
    start = next;
  }
}
