import type { Input } from "../../job/index.ts";
import type { Cutting, Format } from "./format.ts";
import { formatOf } from "./formats.ts";
import type { FileState } from "./input-file.ts";
import { inputFiles } from "./input-paths.ts";
import type { OnBadRecord } from "./malformed.ts";
import type { Split } from "./split.ts";

export interface InputPlan {
  /** In the order of files, then of places in the file; at least one. */
  readonly splits: readonly Split[];
  readonly totalBytes: number;
}

export interface InputQuery {
  readonly input: Input<unknown>;
  /** Files, directories, globs or `-` that replace `input.path`. */
  readonly paths?: readonly string[];
  /** The directory that relative paths start from. */
  readonly from: string;
  /**
   * The directory in which standard input and pipes are kept as files; without it there can be
   * none.
   */
  readonly spoolInto?: string;
  /** Default: a quarter of the input, 4 MB to 64 MB; up to 128 MB for large inputs. */
  readonly splitBytes?: number;
  /** Whether a malformed file that cannot be cut is left to its map. Default: `fail`. */
  readonly onBadRecord?: OnBadRecord;
}

const SPLITS_USUAL = 4;
const SPLIT_BYTES_MIN = 4 * 1024 * 1024;
const SPLIT_BYTES_USUAL = 64 * 1024 * 1024;
/**
 * With more splits than this, each is larger, so that fewer tables of the same keys are emptied.
 */
const SPLITS_MANY = 8;
const SPLIT_BYTES_MAX = 2 * SPLIT_BYTES_USUAL;

const REDUCE_BYTES = 64 * 1024 * 1024;
const REDUCES_MAX = 64;

/**
 * Finds the input's files and cuts them at fixed places; throws an InputError if there is none. The
 * same files give the same splits on any cluster.
 */
export async function planSplits(query: InputQuery): Promise<InputPlan> {
  const { input, paths = input.path === undefined ? [] : [input.path] } = query;
  return cutFiles(await inputFiles({ ...query, paths }), query);
}

/** Cuts files that are already found; only CSV and Parquet files are read for this. */
export async function cutFiles(
  files: readonly FileState[],
  query: Pick<InputQuery, "input" | "splitBytes" | "onBadRecord">,
): Promise<InputPlan> {
  const { input, splitBytes = usualSplitBytes(files), onBadRecord = "fail" } = query;
  const ranges: Omit<Split, "index">[] = [];
  const format = formatOf(input.format);
  for (const file of files) ranges.push(...(await cut(file, format, { splitBytes, onBadRecord })));
  const filled = ranges.filter((range) => range.start < range.end);
  // A job whose files are all empty still has one map, and ends like any other.
  const splits = (filled.length > 0 ? filled : ranges.slice(0, 1)).map((range, index) => ({
    index,
    ...range,
  }));
  return { splits, totalBytes: splits.reduce((sum, { start, end }) => sum + end - start, 0) };
}

/**
 * A quarter of the input, 4 MB to 64 MB: each split costs the filling and emptying of its tables,
 * and too few splits leave nodes without work.
 */
function usualSplitBytes(files: readonly FileState[]): number {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const usual = Math.min(SPLIT_BYTES_USUAL, Math.ceil(bytes / SPLITS_USUAL));
  const large = Math.min(SPLIT_BYTES_MAX, Math.ceil(bytes / SPLITS_MANY));
  return Math.max(SPLIT_BYTES_MIN, usual, large);
}

/** One reduce for each 64 MB of input, 1 to 64. */
export function defaultReduces(totalBytes: number): number {
  return Math.min(REDUCES_MAX, Math.max(1, Math.ceil(totalBytes / REDUCE_BYTES)));
}

async function cut(
  state: FileState,
  format: Format,
  how: Cutting,
): Promise<readonly Omit<Split, "index">[]> {
  const { path: file, bytes: fileBytes, identity } = state;
  const { compression, firstRecords, starts } = await format.cut(state, how);
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? fileBytes;
    const firstRecord = firstRecords?.[i];
    return {
      ...{ file, compression, start, end, fileBytes },
      ...(identity !== undefined && { fileIdentity: identity }),
      ...(firstRecord !== undefined && { firstRecord }),
    };
  });
}
