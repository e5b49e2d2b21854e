import { isObject, type Json } from "../../base/json.ts";
import { CURVE_POINTS } from "../../history/columns.ts";
import { columnBytes, columnFrom } from "./column-bytes.ts";
import {
  type AttemptTable,
  type ColumnName,
  columnsOf,
  type PageDocument,
  type PageHead,
} from "./document.ts";

/**
 * A document as bytes, before compression: the head as JSON, then the number of attempts and each
 * column, all with their lengths before them (32 bits, big endian).
 */
export function documentBytes({ head, attempts }: PageDocument): Uint8Array {
  const columns = head.columns.map((name) =>
    columnBytes(name === "heardAt" ? silences(attempts) : attempts[name]),
  );
  const curves = attempts.curves === undefined ? [] : [columnBytes(attempts.curves)];
  const text = asciiBytes(jsonOf(head));
  return counted(attempts.length, [text, ...columns, ...curves]);
}

/**
 * Bytes hold the silence before each end instead of `heardAt`: the silence is 0 unless the attempt
 * was lost. A page without the column has no silence.
 */
const silences = ({ heardAt, endedAt }: AttemptTable): Float64Array =>
  heardAt.map((at, i) => silentMs(endedAt[i]!, at));

/** For how long a node was silent before an attempt's end, in whole ms between whole moments. */
export const silentMs = (endedAt: number, heardAt: number): number =>
  Math.round(endedAt) - Math.round(heardAt);

/** A number, then parts with their lengths before them. */
export function counted(count: number, parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 4));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, count);
  let at = 4;
  for (const part of parts) {
    view.setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

/** Reads what `counted` wrote. Throws an Error in a sentence if the bytes are cut off. */
export function partsOf(bytes: Uint8Array): {
  readonly count: number;
  readonly parts: readonly Uint8Array[];
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 4; at < bytes.length; ) {
    const length = view.getUint32(at);
    if (at + 4 + length > bytes.length) throw new Error("The page's data is cut off.");
    parts.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { count: view.getUint32(0), parts };
}

/** Throws an Error in a sentence if the bytes are not those of a document. */
export function documentFrom(bytes: Uint8Array): PageDocument {
  const {
    count,
    parts: [text, ...columns],
  } = partsOf(bytes);
  const head = jsonFrom(asciiText(text ?? new Uint8Array()));
  if (!isHead(head)) {
    const schema = isObject(head) ? head.schema : head;
    throw new Error(`The page's data is of a kind that it cannot show: ${schema}.`);
  }
  const known = new Map<string, Float64Array>();
  for (const [n, name] of head.columns.entries()) known.set(name, column(columns[n], count));
  const curves = columns[head.columns.length];
  const unknown = new Float64Array(count).fill(Number.NaN);
  const of = (name: ColumnName): Float64Array => known.get(name) ?? unknown;
  const silent = known.get("heardAt");
  known.set(
    "heardAt",
    of("endedAt").map((end, i) => end - (silent === undefined ? 0 : silent[i]!)),
  );
  const attempts: AttemptTable = {
    length: count,
    ...columnsOf(of),
    ...(curves !== undefined && { curves: columnFrom(curves, CURVE_POINTS * count) }),
  };
  return { head, attempts };
}

/** The data's checksum agrees, so the rest is as it was written. */
const isHead = (head: unknown): head is PageHead =>
  typeof head === "object" &&
  head !== null &&
  "schema" in head &&
  head.schema === "broomwagon/page@2";

function column(bytes: Uint8Array | undefined, count: number): Float64Array {
  if (bytes === undefined) throw new Error("The page's data lacks a column.");
  return columnFrom(bytes, count);
}

/** JSON as bytes of seven bits: other characters are escaped. */
export function asciiBytes(json: string): Uint8Array {
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return Uint8Array.from({ length: ascii.length }, (_, at) => ascii.charCodeAt(at));
}

const CHUNK = 8_192;

export function asciiText(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** JSON has no NaN or infinity: these are written as objects. */
export const jsonOf = (value: object): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === "number" && !Number.isFinite(one) ? { $number: String(one) } : one,
  );

export const jsonFrom = (text: string): Json =>
  JSON.parse(text, (_, one: Json) =>
    isObject(one) && typeof one.$number === "string" ? Number(one.$number) : one,
  );
