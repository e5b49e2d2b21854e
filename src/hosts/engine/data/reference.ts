import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { gunzipSync } from "node:zlib";
import { never } from "../../../base/assert.ts";
import type { Input, Job, Key, Params } from "../../../job/index.ts";
import { compareKeys, encodeKey, hashKey } from "../../../job/index.ts";
import { endsQuoted, parseFields } from "./csv.ts";
import { emitted, pairOf } from "./emitted.ts";
import { partName } from "./part-file.ts";
import { formatOf } from "./record-format.ts";
import { UserContext } from "./user-context.ts";

export interface ReferenceQuery {
  readonly job: Job;
  readonly params: Params;
  /** The input files, in the order of their splits. */
  readonly files: readonly string[];
  readonly reduces: number;
}

/**
 * The job in one thread and in one piece: a Map takes the place of sort, spill, shuffle and merge,
 * files are read from end to end, and keys are compared as keys, not as bytes. The text of each
 * part, in order. All keys, and all values unless they are folded, are held in memory.
 */
export function runReference(query: ReferenceQuery): readonly string[] {
  return query.job.reducer.kind === "none" ? mapOnly(query) : mapAndReduce(query);
}

function mapAndReduce(query: ReferenceQuery): readonly string[] {
  const { job, reduces } = query;
  const gathered = new Gathered(job);
  for (const file of query.files) {
    mapFile(query, file, (key, value) => gathered.add(key, value));
  }
  const parts = Array.from({ length: reduces }, (): Group[] => []);
  for (const group of gathered.groups()) {
    const partition = job.partition?.(group.key, reduces) ?? hashKey(group.key) % reduces;
    parts[partition]?.push(group);
  }
  return parts.map((groups, partition) => {
    groups.sort((x, y) => compareKeys(x.key, y.key));
    return linesOf(job, reduceAll(query, partition, groups));
  });
}

interface Group {
  readonly key: Key;
  readonly values: unknown[];
  /** Of a fold, which needs no values. */
  accumulator: unknown;
}

/** What maps have emitted, by key. */
class Gathered {
  readonly #job: Job;
  readonly #byText = new Map<string, Group>();
  /** Other keys by their bytes as text: a Map does not tell -0 from 0, nor know equal tuples. */
  readonly #byBytes = new Map<string, Group>();

  constructor(job: Job) {
    this.#job = job;
  }

  add(key: Key, value: unknown): void {
    const { reducer } = this.#job;
    const group = this.#group(key);
    if (reducer.kind === "fold") {
      group.accumulator = reducer.fold.add(group.accumulator, value);
    } else {
      group.values.push(value);
    }
  }

  *groups(): Generator<Group> {
    yield* this.#byText.values();
    yield* this.#byBytes.values();
  }

  #group(key: Key): Group {
    const isText = typeof key === "string";
    const groups = isText ? this.#byText : this.#byBytes;
    const at = isText ? key : Buffer.from(encodeKey(key)).toString("latin1");
    const known = groups.get(at);
    if (known !== undefined) return known;
    const { reducer } = this.#job;
    const accumulator = reducer.kind === "fold" ? reducer.fold.init() : undefined;
    const group = { key, values: [], accumulator };
    groups.set(at, group);
    return group;
  }
}

function* reduceAll(query: ReferenceQuery, task: number, groups: readonly Group[]) {
  const { job, params } = query;
  const { reducer } = job;
  if (reducer.kind === "none") return;
  const records: unknown[] = [];
  const emit = (key: Key, value: unknown): unknown => records.push([key, value]);
  const ctx = new UserContext({ job, params, task, attempt: 0, file: "", emit });
  for (const { key, values, accumulator } of groups) {
    if (reducer.kind === "fold") {
      yield [key, reducer.fold.done(accumulator)];
    } else {
      for (const one of emitted(reducer.reduce(key, values, ctx), "reduce")) records.push(one);
      yield* records.splice(0);
    }
  }
}

/**
 * A part for each split, so the lines are cut as the splits are: only the whole can be compared.
 */
function mapOnly(query: ReferenceQuery): readonly string[] {
  const records: unknown[] = [];
  for (const file of query.files) {
    mapFile(query, file, (key, value) => records.push([key, value]));
  }
  return [linesOf(query.job, records)];
}

function linesOf(job: Job, records: Iterable<unknown>): string {
  const format = formatOf(job.output);
  const text = Array.from(records, (record) => `${format(record)}\n`).join("");
  // As a file would give it back: an unpaired surrogate is U+FFFD there.
  return Buffer.from(text).toString();
}

function mapFile(
  { job, params }: ReferenceQuery,
  file: string,
  take: (key: Key, value: unknown) => void,
): void {
  const ctx = new UserContext({ job, params, task: 0, attempt: 0, file, emit: take });
  for (const record of recordsOf(job.input, file)) {
    for (const pair of emitted(job.map(job.input.decode(record), ctx), "map")) {
      take(...pairOf(pair));
    }
  }
}

function* recordsOf({ format }: Input<unknown>, file: string): Generator<unknown> {
  switch (format.kind) {
    case "text":
      for (const line of linesIn(file)) yield line.replace(/\r?\n$/, "");
      return;
    case "ndjson":
      for (const line of linesIn(file)) if (line.trim() !== "") yield JSON.parse(line);
      return;
    case "csv":
      yield* csvRecords(linesIn(file), format, file);
      return;
    default:
      never(format);
  }
}

/** With their line ends; the mark at the file's start left out. */
function* linesIn(file: string): Generator<string> {
  let rest = "";
  let isStart = true;
  for (const piece of piecesOf(file)) {
    const text = rest + (isStart ? piece.replace(/^\ufeff/, "") : piece);
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

/** The file's text, in pieces that a string can hold. */
function* piecesOf(file: string): Generator<string> {
  const decoder = new StringDecoder("utf8");
  if (file.endsWith(".gz")) {
    yield decoder.end(gunzipSync(readFileSync(file)));
    return;
  }
  const handle = openSync(file, "r");
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let size = readSync(handle, piece); size > 0; size = readSync(handle, piece)) {
      yield decoder.write(piece.subarray(0, size));
    }
    yield decoder.end();
  } finally {
    closeSync(handle);
  }
}

type CsvFormat = Extract<Input<unknown>["format"], { kind: "csv" }>;

function* csvRecords(lines: Iterable<string>, format: CsvFormat, file: string): Generator<unknown> {
  let begun = "";
  let header = format.header ? undefined : format.columns;
  for (const line of lines) {
    begun += line;
    if (endsQuoted(begun)) continue;
    const fields = /^\r?\n$/.test(begun) ? [] : parseFields(begun, format.separator, () => file);
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
      /** The part's name, or that of the whole where parts depend on the splits. */
      readonly part: string;
      /** From 1. */
      readonly line: number;
      readonly expected: string | undefined;
      readonly found: string | undefined;
    };

/**
 * Byte for byte: each committed part against the reference's part of the same number. Of a job that
 * only maps, whose parts are cut as its splits are, `by: "whole"`: all parts one after the other.
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
  for (let i = 0; existsSync(join(directory, partName(i))); i++) {
    parts.set(partName(i), readFileSync(join(directory, partName(i)), "utf8"));
  }
  return parts;
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
