import { never } from "../../../base/assert.ts";
import type { Output } from "../../../job/index.ts";

/** How a record of output becomes a line, without its line end. */
export function formatOf({ format }: Output): (record: unknown) => string {
  switch (format.kind) {
    case "text":
      return textLine;
    case "ndjson":
      return jsonLine;
    default:
      return never(format);
  }
}

/**
 * The elements of an array, and of arrays within it, separated by TAB; anything else is one column.
 * `undefined` is no column at all, so `[line, undefined]` is `line`; null is an empty one.
 */
function textLine(record: unknown): string {
  if (!Array.isArray(record)) return column(record);
  return record
    .flat(Number.POSITIVE_INFINITY)
    .filter((element) => element !== undefined)
    .map(column)
    .join("\t");
}

function column(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  // -0 and 0 are two keys, and must not look like one.
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  return typeof value === "object" ? jsonLine(value) : String(value);
}

/**
 * JSON, with a bigint as its digits in a string and bytes in base64, for which JSON has nothing.
 */
function jsonLine(record: unknown): string {
  return JSON.stringify(record, beyondJson) ?? "null";
}

function beyondJson(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}
