import { statSync } from "node:fs";
import { InputError } from "../../../base/input-error.ts";
import type { Input } from "../../../job/index.ts";
import { quotesBefore } from "./csv-quotes.ts";
import { globFiles } from "./glob.ts";

/** The part of a file that one map task reads: plain data, may be sent to another process. */
export interface Split {
  /** The map task's index, from 0. */
  readonly index: number;
  /** Absolute path. */
  readonly file: string;
  readonly compression: "none" | "gzip";
  /** Bytes of the file as stored; records belong to the split in which they start. */
  readonly start: number;
  readonly end: number;
  /** The size of the whole file when it was split; a file that has changed since is an error. */
  readonly fileBytes: number;
  /** CSV: the count of quotes before the byte before `start`; odd: it is within a quoted field. */
  readonly quotes: "uncounted" | "even" | "odd";
}

export interface InputPlan {
  /** By file, then by place in the file; at least one. */
  readonly splits: readonly Split[];
  readonly totalBytes: number;
}

export interface InputQuery {
  readonly input: Input<unknown>;
  /** Files, directories or globs that take the place of `input.path`. */
  readonly paths?: readonly string[];
  /** What relative paths are relative to. */
  readonly from: string;
  /** 32 MB unless told. */
  readonly splitBytes?: number;
}

export const SPLIT_BYTES = 32 * 1024 * 1024;

/** A last split may be longer by a tenth, so that none is a mere rest: Hadoop's SPLIT_SLOP. */
const SLOP = 1.1;

const REDUCE_BYTES = 64 * 1024 * 1024;
const REDUCES_MAX = 64;

/**
 * Finds the input's files and cuts them at fixed places; InputError if there is none. The same
 * files give the same splits, whatever the cluster.
 */
export function planSplits({
  input,
  paths,
  from,
  splitBytes = SPLIT_BYTES,
}: InputQuery): InputPlan {
  const files = inputFiles(paths ?? (input.path === undefined ? [] : [input.path]), from);
  const ranges = files.flatMap((file) => cut(file, statSync(file).size, input, splitBytes));
  const filled = ranges.filter((range) => range.start < range.end);
  // A job whose files are all empty still has one map, and ends as any other.
  const splits = (filled.length > 0 ? filled : ranges.slice(0, 1)).map((range, index) => ({
    index,
    ...range,
  }));
  return { splits, totalBytes: splits.reduce((sum, { start, end }) => sum + end - start, 0) };
}

/** One reduce for each 64 MB of input, 1 to 64. */
export function defaultReduces(totalBytes: number): number {
  return Math.min(REDUCES_MAX, Math.max(1, Math.ceil(totalBytes / REDUCE_BYTES)));
}

function inputFiles(paths: readonly string[], from: string): readonly string[] {
  if (paths.length === 0) {
    throw new InputError("missing-file", "input", "expected a path, in the job file or by --input");
  }
  const found = new Set<string>();
  for (const pattern of paths) {
    const files = globFiles({ pattern, from });
    if (files.length === 0) {
      throw new InputError("missing-file", `input ${pattern}`, `no such file below ${from}`);
    }
    for (const file of files) found.add(file);
  }
  return [...found].sort();
}

function cut(
  file: string,
  fileBytes: number,
  input: Input<unknown>,
  splitBytes: number,
): readonly Omit<Split, "index">[] {
  const compression = file.endsWith(".gz") ? "gzip" : "none";
  const starts = [0];
  if (compression === "none") {
    for (let at = splitBytes; fileBytes - at + splitBytes > SLOP * splitBytes; at += splitBytes) {
      starts.push(at);
    }
  }
  const quotes = input.format.kind === "csv" ? quotesBefore(file, starts) : undefined;
  return starts.map((start, i) => ({
    file,
    compression,
    start,
    end: starts[i + 1] ?? fileBytes,
    fileBytes,
    quotes: quotes === undefined ? "uncounted" : quotes[i] === "odd" ? "odd" : "even",
  }));
}
