import { isObject, type Json } from "../../base/json.ts";
import { cell, columnsBy, namesOf } from "../../base/rows.ts";
import { CURVE_POINTS } from "../../history/columns.ts";
import { columnBytes, columnFrom } from "./column-bytes.ts";
import { PAGE_ATTEMPT, type PageDocument, type PageHead } from "./document.ts";

/** The head, and what follows it. */
interface Written extends PageHead {
  /** The columns in which the source knows anything, and `CURVES`. */
  readonly columns: readonly string[];
}

const CURVES = "curves";

/**
 * A document as bytes, before compression: the head as JSON, then the number of attempts, each
 * column, the curves and the other run, all with their lengths before them (32 bits, big endian).
 * A row names its node.
 */
export function documentBytes({ head, attempts, other }: PageDocument): Uint8Array {
  const { length, row, endedAt, curves } = attempts;
  const written = {
    ...attempts,
    startedAt: without(endsBefore(row, endedAt), attempts.startedAt),
    heardAt: without(endedAt, attempts.heardAt),
  };
  const columns = namesOf(PAGE_ATTEMPT).filter((name) => {
    const { unknown } = PAGE_ATTEMPT[name];
    return name !== "node" && written[name].some((value) => !Object.is(value, unknown));
  });
  const text: Written = {
    ...head,
    columns: [...columns, ...(curves === undefined ? [] : [CURVES])],
  };
  return counted(length, [
    asciiBytes(jsonOf(text)),
    ...columns.map((name) => columnBytes(written[name])),
    ...(curves === undefined ? [] : [columnBytes(curves)]),
    ...(other === undefined ? [] : [documentBytes(other)]),
  ]);
}

/** For each attempt the end of the one before it on its row: many start just then. */
function endsBefore(row: Int32Array, endedAt: Float64Array): Float64Array {
  const ends = new Map<number | undefined, number>();
  return endedAt.map((end, i) => {
    const before = ends.get(row[i]) ?? 0;
    ends.set(row[i], end);
    return before;
  });
}

/** NaN stands for the usual value. */
const without = (usual: Float64Array, column: Float64Array): Float64Array =>
  column.map((value, i) => (value === usual[i] ? Number.NaN : value));

const withUsual = (usual: Float64Array, column: Float64Array): Float64Array =>
  column.map((value, i) => (Number.isNaN(value) ? usual[i]! : value));

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
    parts: [text, ...rest],
  } = partsOf(bytes);
  const written: unknown = jsonFrom(asciiText(cell(text)));
  if (!isWritten(written)) throw new Error("The page's data is of a kind that it cannot show.");
  const { columns, ...head } = written;
  let next = 0;
  // One array serves all columns of unknown measures.
  const unknowns = new Float64Array(count).fill(Number.NaN);
  const table = columnsBy(PAGE_ATTEMPT, (name, { make, unknown }) => {
    if (!columns.includes(name))
      return Number.isNaN(unknown) ? unknowns : make(count).fill(unknown);
    return columnFrom(cell(rest[next++]), make(count));
  });
  const curves = columns.includes(CURVES)
    ? columnFrom(cell(rest[next++]), new Float32Array(CURVE_POINTS * count))
    : undefined;
  const { row, endedAt } = table;
  const other = rest[next];
  return {
    head,
    attempts: {
      length: count,
      ...table,
      node: row.map((at) => cell(head.rows[at]).node),
      startedAt: withUsual(endsBefore(row, endedAt), table.startedAt),
      heardAt: withUsual(endedAt, table.heardAt),
      ...(curves && { curves }),
    },
    ...(other && { other: documentFrom(other) }),
  };
}

/** The data's checksum agrees, so the rest is as it was written. */
const isWritten = (head: unknown): head is Written =>
  typeof head === "object" &&
  head !== null &&
  "schema" in head &&
  head.schema === "broomwagon/page@3";

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
