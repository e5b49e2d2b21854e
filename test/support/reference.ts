import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decompress as unzstdSync } from "fzstd";
import { AssertionError, defined, never } from "../../src/base/assert.ts";
import { partName } from "../../src/data/bytes/part-file.ts";
import { textOf } from "../../src/data/formats/byte-text.ts";
import { parseFields } from "../../src/data/formats/csv.ts";
import { recordText } from "../../src/data/formats/record-text.ts";
import { type EvaluationFile, evaluateAsync } from "../../src/job/evaluate.ts";
import type { Input, Output, Params, TextEncoding } from "../../src/job/index.ts";
import type { Program } from "../../src/job/program.ts";

export interface ReferenceQuery {
  readonly program: Program;
  readonly params: Params;
  /** A read's input files, in the order of their splits. */
  files(read: string): readonly string[];
  /** The partitions of a shuffle without a number of its own. */
  readonly reduces: number;
}

/**
 * The program in one thread and in one piece: a Map replaces sort, spill, shuffle and merge, files
 * are read from end to end, and keys are compared as keys, not as bytes. The text of each part of
 * each output, in order. All keys, and all values, are held in memory.
 */
export async function runReference(query: ReferenceQuery): Promise<readonly (readonly string[])[]> {
  const { program, params, reduces: partitions } = query;
  const inputs = new Map(
    program.phases.flatMap(({ reads }) =>
      reads.kind === "input" ? [[reads.name, reads.input] as const] : [],
    ),
  );
  const files = (read: string): readonly EvaluationFile[] =>
    query.files(read).map((file) => {
      const input = defined(inputs.get(read), `the input of ${read}`);
      return { file, records: recordsOf(input, file) };
    });
  const { outputs } = await evaluateAsync({ program, params, partitions, files });
  return outputs.map((parts, i) => {
    const { output } = defined(program.outputs[i], `output ${i}`);
    return parts.map((records) => linesOf(output, records));
  });
}

function linesOf(output: Output, records: readonly unknown[]): string {
  const { head, line, bytes } = recordText(output);
  return textOf(bytes(head + Array.from(records, line).join("")));
}

function* recordsOf({ format }: Input<unknown>, file: string): Generator<unknown> {
  switch (format.kind) {
    case "text":
      for (const line of linesIn(file, format.encoding === "utf8")) {
        yield encoded(line.replace(/\r?\n$/, ""), format.encoding);
      }
      return;
    case "ndjson":
      for (const line of linesIn(file)) {
        if (line.trim() !== "") yield JSON.parse(encoded(line, "utf8"));
      }
      return;
    case "csv":
      yield* csvRecords(linesIn(file), format);
      return;
    case "fixed": {
      const all = [...piecesOf(file)].join("");
      for (let at = 0; at < all.length; at += format.bytes) {
        yield encoded(all.slice(at, at + format.bytes), format.encoding);
      }
      return;
    }
    case "parquet":
      throw new AssertionError("the reference reads no Parquet");
    default:
      never(format);
  }
}

/** From one character per byte. */
function encoded(bytes: string, encoding: "utf8" | "latin1"): string;
function encoded(bytes: string, encoding: TextEncoding): string | Uint8Array;
function encoded(bytes: string, encoding: TextEncoding): string | Uint8Array {
  if (encoding === "latin1") return bytes;
  const buffer = Buffer.from(bytes, "latin1");
  return encoding === "utf8" ? textOf(buffer) : Uint8Array.from(buffer);
}

/** Lines with their ends, one character per byte; `isText`: without a mark at the start. */
function* linesIn(file: string, isText = true): Generator<string> {
  let rest = "";
  let isStart = isText;
  for (const piece of piecesOf(file)) {
    const text = rest + (isStart ? piece.replace(/^\xef\xbb\xbf/, "") : piece);
    isStart = false;
    let at = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", at)) {
      yield text.slice(at, end + 1);
      at = end + 1;
    }
    rest = text.slice(at);
  }
  if (rest !== "") yield rest;
}

const PIECE_BYTES = 1 << 24;

/** The file's bytes, each as a character, in pieces that a string can hold. */
function* piecesOf(file: string): Generator<string> {
  if (file.endsWith(".gz") || file.endsWith(".zst")) {
    const decompress = file.endsWith(".gz") ? gunzipSync : unzstdSync;
    yield Buffer.from(decompress(readFileSync(file))).toString("latin1");
    return;
  }
  const handle = openSync(file, "r");
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let size = readSync(handle, piece); size > 0; size = readSync(handle, piece)) {
      yield piece.toString("latin1", 0, size);
    }
  } finally {
    closeSync(handle);
  }
}

/** An even count of quotes: it does not end within a quoted field. */
const isWhole = (record: string): boolean => record.split('"').length % 2 === 1;

type CsvFormat = Extract<Input<unknown>["format"], { kind: "csv" }>;

function* csvRecords(lines: Iterable<string>, format: CsvFormat): Generator<unknown> {
  let begun = "";
  let header = format.header ? undefined : format.columns;
  for (const line of lines) {
    begun += encoded(line, "utf8");
    if (!isWhole(begun)) continue;
    const fields = /^\r?\n$/.test(begun) ? [] : parseFields(begun, format.separator);
    begun = "";
    if (fields.length === 0) continue;
    const columns = header ?? fields;
    const wanted = format.columns ?? columns;
    const named = columns.map((column, i) => [column, fields[i]] as const);
    if (header !== undefined)
      yield Object.fromEntries(named.filter(([name]) => wanted.includes(name)));
    header = columns;
  }
}

export type OutputDifference =
  | { readonly equal: true }
  | {
      readonly equal: false;
      /** The part's name, or the whole's if parts depend on the splits. */
      readonly part: string;
      /** From 1. */
      readonly line: number;
      readonly expected: string | undefined;
      readonly found: string | undefined;
    };

/**
 * Compares byte for byte each committed part with the reference's part of the same number. For a
 * job that only maps, whose parts follow its splits, `by: "whole"` compares all parts one after the
 * other.
 */
export function compareOutput(query: {
  readonly directory: string;
  readonly parts: readonly string[];
  readonly by?: "part" | "whole";
}): OutputDifference {
  const found = readParts(query.directory);
  if (query.by === "whole") {
    return compareText("the parts together", query.parts.join(""), [...found.values()].join(""));
  }
  const names = new Set([...query.parts.map((_, i) => partName(i)), ...found.keys()]);
  for (const name of [...names].sort()) {
    const expected = query.parts[Number(name.slice("part-".length))];
    const difference = compareText(name, expected, found.get(name));
    if (!difference.equal) return difference;
  }
  return { equal: true };
}

/** By name, in order: parts are numbered without a gap. */
function readParts(directory: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (let i = 0; ; i++) {
    const name = partName(i);
    const plain = join(directory, name);
    const compressed = `${plain}.gz`;
    if (existsSync(plain)) parts.set(name, textOf(readFileSync(plain)));
    else if (existsSync(compressed)) parts.set(name, textOf(gunzipSync(readFileSync(compressed))));
    else return parts;
  }
}

function compareText(
  part: string,
  expected: string | undefined,
  found: string | undefined,
): OutputDifference {
  if (expected === found) return { equal: true };
  const expectedLines = (expected ?? "").split("\n");
  const foundLines = (found ?? "").split("\n");
  const at = expectedLines.findIndex((line, i) => line !== foundLines[i]);
  const line = at < 0 ? expectedLines.length : at;
  return {
    equal: false,
    part,
    line: line + 1,
    expected: expected === undefined ? undefined : expectedLines[line],
    found: found === undefined ? undefined : foundLines[line],
  };
}
