import { InputError } from "../base/input-error.ts";
import type { Output } from "./output.ts";

/** Where records come from, and how bytes become records. `R` is what `map` is given. */
export interface Input<R> {
  /** File, directory or glob; what the command line gives goes before it. */
  readonly path?: string;
  readonly format: InputFormat;
  /** From what the format yields to the record; throws if it is not one. */
  decode(record: unknown): R;
}

export type InputFormat =
  /** A string for each line, without its `\n` or `\r\n`. */
  | { readonly kind: "text" }
  /** The parsed JSON value of each line; blank lines are passed over. */
  | { readonly kind: "ndjson" }
  /** RFC 4180: an object of strings for each record, fields may hold quoted newlines. */
  | {
      readonly kind: "csv";
      readonly separator: string;
      /** The first record of each file holds the columns' names. */
      readonly header: boolean;
      /** The columns wanted, by name; without a header, the names of the columns in order. */
      readonly columns?: readonly string[];
    };

export type CsvRecord<Column extends string> = Readonly<Record<Column, string>>;

export interface CsvOptions<Column extends string> {
  /** Whether the first record of each file names the columns; true unless told. */
  readonly header?: boolean;
  /** With a header: the columns wanted. Without: the names of all columns, in order. */
  readonly columns?: readonly Column[];
  /** One character; a comma unless told. */
  readonly separator?: string;
}

/** Lines. As an output: what `tsv` is. */
export function text(path?: string): Input<string> & Output {
  return { ...at(path), format: { kind: "text" }, decode: String };
}

/**
 * A JSON value a line. `decode` checks and shapes what is read; it throws if that is not what it
 * should be. As an output: each record as JSON.
 */
export function ndjson(path?: string): Input<unknown> & Output;
export function ndjson<R>(path: string | undefined, decode: (value: unknown) => R): Input<R>;
export function ndjson(path?: string, decode = (value: unknown) => value): Input<unknown> & Output {
  return { ...at(path), format: { kind: "ndjson" }, decode };
}

/** Comma-separated values: each record an object of strings by column. */
export function csv<const Column extends string = string>(
  path?: string,
  options: CsvOptions<Column> = {},
): Input<CsvRecord<Column>> {
  const { header = true, columns, separator = "," } = options;
  if (!header && columns === undefined) {
    throw new InputError("bad-job", "csv", "expected columns, since there is no header");
  }
  if (separator.length !== 1 || '"\n\r'.includes(separator)) {
    throw new InputError("bad-job", "csv", "expected a separator of one character");
  }
  const isRecord = (record: unknown): record is CsvRecord<Column> =>
    typeof record === "object" && record !== null;
  return {
    ...at(path),
    format: { kind: "csv", header, separator, ...(columns && { columns }) },
    decode(record) {
      if (isRecord(record)) return record;
      throw new InputError("bad-input", "csv", "expected a record");
    },
  };
}

const at = (path: string | undefined) => (path === undefined ? {} : { path });
