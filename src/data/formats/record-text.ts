import { AssertionError, never } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import { isDate, timeOf } from "../../job/date.ts";
import type { Output } from "../../job/index.ts";
import { bytesOf, textOf } from "./byte-text.ts";
import { csvLine } from "./csv-line.ts";
import { quotedText } from "./malformed.ts";

/** Turns output records into text, and text into bytes. */
export interface RecordText {
  /** The text at the beginning of a part. */
  readonly head: string;
  /** Whether only the first part begins with `head`. */
  readonly isHeadFirst: boolean;
  /** A record with its line end. */
  line(record: unknown): string;
  bytes(text: string): Buffer;
}

const NO_HEAD = { head: "", isHeadFirst: false };

export function recordText({ format }: Output): RecordText {
  switch (format.kind) {
    case "text": {
      const { encoding, marks } = format;
      const bytes = encoding === "latin1" ? latin1 : bytesOf;
      const how = {
        ofBytes: encoding === "latin1" ? fromLatin1 : textOf,
        mark: MARKS[marks ?? "as-is"],
      };
      return { ...NO_HEAD, bytes, line: (record) => `${columns(record, how)}\n` };
    }
    case "csv": {
      const { header, columns: names, separator } = format;
      const line = (fields: unknown): string => csvLine(fields, { names, separator, textOfField });
      const head = header && names ? line(names) : "";
      return { head, isHeadFirst: header === "first", bytes: bytesOf, line };
    }
    case "ndjson":
      return { ...NO_HEAD, bytes: bytesOf, line: (record) => `${json(record)}\n` };
    case "records":
      throw new AssertionError("records kept as values have no text");
    default:
      return never(format);
  }
}

/**
 * The elements of an array, and of arrays within it, separated by TAB; any other value is one
 * column. `undefined` is no column, so `[line, undefined]` is `line`; null is an empty column.
 */
function columns(record: unknown, { ofBytes, mark }: Columns): string {
  if (!Array.isArray(record)) return mark(column(record, ofBytes), true);
  const elements = record.flat(Number.POSITIVE_INFINITY).filter((element) => element !== undefined);
  const isAlone = elements.length === 1;
  return elements.map((element) => mark(column(element, ofBytes), isAlone)).join("\t");
}

/** Turns columns of TSV into text. */
interface Columns {
  ofBytes(bytes: Buffer): string;
  /** Replaces TABs and line ends. A column that is alone is a line and keeps its TABs. */
  mark(text: string, isAlone: boolean): string;
}

const MARKS: Readonly<Record<"as-is" | "refused" | "escaped", Columns["mark"]>> = {
  "as-is": (text) => text,
  escaped: (text) => (ESCAPED.test(text) ? text.replace(ALL_ESCAPED, escapeOf) : text),
  refused(text, isAlone) {
    if (!(isAlone ? LINE_END : MARK).test(text)) return text;
    const what = isAlone ? "a line without a line end in it" : "a column without TAB and line end";
    const ways = "tsv(path, { escape: true }) writes \\t and \\n, text(path) writes all as it is";
    const found = `found ${quotedText(text.slice(0, SHOWN_MAX))}`;
    throw new InputError("bad-job", "output", `expected ${what}, ${found}: ${ways}`);
  },
};

const LINE_END = /\n/;
const MARK = /[\t\n\r]/;
const ESCAPED = /[\\\t\n\r]/;
const ALL_ESCAPED = /[\\\t\n\r]/g;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\r", "\\r"],
]);
const escapeOf = (char: string): string => ESCAPES.get(char) ?? "\\\\";

/** The most characters of a column that are shown. */
const SHOWN_MAX = 100;

function column(value: unknown, ofBytes: (bytes: Buffer) => string): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  // -0 and 0 are different keys, and must not look alike.
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (isDate(value)) return new Date(timeOf(value, "output")).toISOString();
  return value instanceof Uint8Array ? ofBytes(bufferOf(value)) : json(value);
}

const textOfField = (value: unknown): string => column(value, textOf);

/** JSON, with a bigint as a string of its digits and bytes as base64, since JSON has neither. */
function json(record: unknown): string {
  try {
    return JSON.stringify(record, beyondJson) ?? "null";
  } catch (error) {
    if (error instanceof InputError || !(error instanceof TypeError)) throw error;
    // The rest of the message describes the circle.
    throw refusal(`a value that JSON cannot express: ${error.message.split("\n", 1)[0]}`);
  }
}

function beyondJson(this: unknown, name: string, value: unknown): unknown {
  // An invalid date becomes null by itself.
  if (value === null) refuseInvalidDate(Reflect.get(Object(this), name));
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return bufferOf(value).toString("base64");
  // JSON.stringify would write null.
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw refusal(`${value}, which JSON lacks`);
  }
  if (isMute(value)) throw refusal(Object.prototype.toString.call(value).slice(8, -1));
  return value;
}

function refuseInvalidDate(value: unknown): void {
  if (isDate(value)) timeOf(value, "output");
}

/** Whether JSON would leave the value out or write it as `{}`: a promise, a map, a function. */
function isMute(value: unknown): boolean {
  if (typeof value === "function" || typeof value === "symbol") return true;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Checked by shape, since an object may come from another realm.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && Object.keys(value).length === 0;
}

const refusal = (found: string): InputError =>
  new InputError(
    "bad-job",
    "output",
    `expected text, numbers, booleans, null, dates, bytes, arrays or objects, found ${found}`,
  );

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const fromLatin1 = (bytes: Buffer): string => bytes.toString("latin1");

function latin1(text: string): Buffer {
  const other = BEYOND_LATIN1.exec(text)?.[0];
  if (other === undefined) return Buffer.from(text, "latin1");
  const found = `found ${JSON.stringify(other)}`;
  throw new InputError("bad-job", "output", `expected latin1 text, up to U+00FF, ${found}`);
}

const BEYOND_LATIN1 = /[^\0-\xff]/u;
