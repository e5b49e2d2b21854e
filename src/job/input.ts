import { InputError } from "../base/input-error.ts";
import { type Output, type OutputOptions, outputAt } from "./output.ts";
import { checkEncoding, type Encoded, type TextEncoding } from "./text-encoding.ts";

/**
 * The source of records, and the decoding of bytes to records. `R` is the type of record that `map`
 * gets.
 */
export interface Input<R> {
  /** File, directory or glob; the command line takes precedence. */
  readonly path?: string;
  readonly format: InputFormat;
  /** Makes a record of the format's value; throws if the value is invalid. */
  decode(record: unknown): R;
}

export type InputFormat =
  /**
   * The text of each line, without its `
   * ` or `\r
   * `.
   */
  | { readonly kind: "text"; readonly encoding: TextEncoding }
  /** The parsed JSON value of each line; blank lines are skipped. */
  | { readonly kind: "ndjson" }
  /** RFC 4180: an object of strings for each record, fields may hold quoted newlines. */
  | {
      readonly kind: "csv";
      readonly separator: string;
      /** Whether the first record of each file holds the columns' names. */
      readonly header: boolean;
      /** The wanted columns, by name; without a header, the names of all columns in order. */
      readonly columns?: readonly string[];
      /** The columns that `decode` turns into numbers. */
      readonly numbers: readonly string[];
    }
  /** Records of `bytes` bytes each, with nothing between them. */
  | { readonly kind: "fixed"; readonly bytes: number; readonly encoding: TextEncoding }
  /** An object for each row; read by the package `hyparquet`, if it is installed. */
  | { readonly kind: "parquet"; readonly columns?: readonly string[] };

export type CsvRecord<Column extends string> = Readonly<Record<Column, string>>;

export interface CsvOptions<Column extends string> extends OutputOptions {
  /** Whether the first record of each file names the columns. Default: true. */
  readonly header?: boolean;
  /** With a header: the wanted columns. Without: the names of all columns, in order. */
  readonly columns?: readonly Column[];
  /** One character. Default: a comma. */
  readonly separator?: string;
}

/** The type of a column's fields. */
export type ColumnType = "text" | "number";

/** The columns of a CSV with their types. */
export interface TypedCsvOptions<Types extends Readonly<Record<string, ColumnType>>>
  extends OutputOptions {
  readonly header?: boolean;
  readonly columns: Types;
  readonly separator?: string;
}

export type TypedCsvRecord<Types extends Readonly<Record<string, ColumnType>>> = {
  readonly [Column in keyof Types]: Types[Column] extends "number" ? number : string;
};

export interface TextOptions<E extends TextEncoding> extends OutputOptions {
  /** Default: `utf8`. */
  readonly encoding?: E;
}

/** Reads lines. As an output: the same as `tsv`. */
export function text<const E extends TextEncoding = "utf8">(
  options: TextOptions<E>,
): Input<Encoded<E>> & Output;
export function text<const E extends TextEncoding = "utf8">(
  path?: string,
  options?: TextOptions<E>,
): Input<Encoded<E>> & Output;
export function text(
  path?: string | TextOptions<TextEncoding>,
  options: TextOptions<TextEncoding> = {},
): Input<unknown> & Output {
  if (typeof path === "object") return text(undefined, path);
  const { encoding = "utf8" } = options;
  checkEncoding(encoding, "text");
  return {
    ...outputAt(path, options, { kind: "text", encoding } as const),
    decode: decoderOf(encoding),
  };
}

/**
 * Reads a JSON value per line. `decode` checks and shapes each value; it throws if the value is
 * invalid. As an output: writes each record as JSON.
 */
export function ndjson(path?: string, options?: OutputOptions): Input<unknown> & Output;
export function ndjson<R>(path: string | undefined, decode: (value: unknown) => R): Input<R>;
export function ndjson(
  path?: string,
  how: OutputOptions | ((value: unknown) => unknown) = {},
): Input<unknown> & Output {
  const options = typeof how === "function" ? {} : how;
  const decode = typeof how === "function" ? how : (value: unknown) => value;
  return { ...outputAt(path, options, { kind: "ndjson" } as const), decode };
}

/**
 * Comma-separated values: each record an object by column, of strings and, where `columns` says so,
 * of numbers. As an output: the fields of an array, or of an object by its `columns`.
 *
 *     csv("visits", { columns: ["page", "country"] })
 *     csv("visits", { columns: { page: "text", bytes: "number" } })
 */
export function csv<const Types extends Readonly<Record<string, ColumnType>>>(
  path: string | undefined,
  options: TypedCsvOptions<Types>,
): Input<TypedCsvRecord<Types>> & Output;
export function csv<const Column extends string = string>(
  path?: string,
  options?: CsvOptions<Column>,
): Input<CsvRecord<Column>> & Output;
export function csv(
  path?: string,
  options: CsvOptions<string> | TypedCsvOptions<Readonly<Record<string, ColumnType>>> = {},
): Input<unknown> & Output {
  const { header = true, separator = "," } = options;
  const { columns, numbers } = columnsOf(options.columns);
  if (!header && columns === undefined) {
    throw new InputError("bad-job", "csv", "expected columns, since there is no header");
  }
  if (separator.length !== 1 || '"\n\r'.includes(separator)) {
    throw new InputError("bad-job", "csv", "expected a separator of one character");
  }
  const format = { kind: "csv", header, separator, numbers, ...(columns && { columns }) } as const;
  return {
    ...outputAt(path, options, format),
    decode: (record) => withNumbers(asRecord(record, "csv"), numbers),
  };
}

/**
 * Records of `bytes` bytes each, with nothing between them: `Uint8Array`s, or text in an encoding.
 */
export function fixed<const E extends TextEncoding = "bytes">(
  bytes: number,
  path?: string,
  options?: { readonly encoding?: E },
): Input<Encoded<E>>;
export function fixed(
  bytes: number,
  path?: string,
  { encoding = "bytes" }: { readonly encoding?: TextEncoding } = {},
): Input<unknown> {
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > FIXED_BYTES_MAX) {
    throw new InputError("bad-job", "fixed", `expected 1 to ${FIXED_BYTES_MAX} bytes`);
  }
  checkEncoding(encoding, "fixed");
  const format = { kind: "fixed", bytes, encoding } as const;
  return { ...(path !== undefined && { path }), format, decode: decoderOf(encoding) };
}

const FIXED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Rows of Parquet files, as objects by column: numbers, bigints (for 64-bit integers), strings,
 * booleans, Dates, null, bytes, arrays and objects. The package `hyparquet` must be installed.
 */
export function parquet<const Column extends string = string>(
  path?: string,
  options?: { readonly columns?: readonly Column[] },
): Input<Readonly<Record<Column, unknown>>>;
export function parquet(
  path?: string,
  { columns }: { readonly columns?: readonly string[] } = {},
): Input<object> {
  const format = { kind: "parquet", ...(columns && { columns }) } as const;
  const decode = (record: unknown): object => asRecord(record, "parquet");
  return { ...(path !== undefined && { path }), format, decode };
}

function decoderOf(encoding: TextEncoding): (record: unknown) => unknown {
  if (encoding !== "bytes") return String;
  return (record) => {
    if (record instanceof Uint8Array) return record;
    throw new InputError("bad-input", "bytes", "expected a Uint8Array");
  };
}

function asRecord(record: unknown, format: string): object {
  if (typeof record === "object" && record !== null) return record;
  throw new InputError("bad-input", format, "expected a record");
}

function columnsOf(columns: readonly string[] | Readonly<Record<string, ColumnType>> | undefined): {
  readonly columns: readonly string[] | undefined;
  readonly numbers: readonly string[];
} {
  if (columns === undefined || isList(columns)) return { columns, numbers: [] };
  const types = Object.entries(columns);
  for (const [name, type] of types) {
    if (type === "text" || type === "number") continue;
    throw new InputError("bad-job", `csv: column ${name}`, 'expected "text" or "number"');
  }
  const numbers = types.filter(([, type]) => type === "number").map(([name]) => name);
  return { columns: Object.keys(columns), numbers };
}

const isList = (columns: object): columns is readonly string[] => Array.isArray(columns);

function withNumbers(record: object, numbers: readonly string[]): object {
  if (numbers.length === 0) return record;
  const converted = { ...record };
  for (const name of numbers)
    Reflect.set(converted, name, numberOf(Reflect.get(record, name), name));
  return converted;
}

function numberOf(field: unknown, column: string): number {
  if (typeof field === "number") return field;
  if (typeof field === "string" && NUMBER.test(field)) return Number(field);
  const found = JSON.stringify(field) ?? String(field);
  throw new InputError("bad-input", `column ${column}`, `expected a number, found ${found}`);
}

/** Numbers as in JSON; leading zeros and a plus sign are allowed as well. */
const NUMBER = /^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/;
