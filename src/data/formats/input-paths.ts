import {
  type BigIntStats,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  statSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../base/input-error.ts";
import { globFiles, type TreeEntry } from "./glob.ts";
import { type FileState, identityOf, unreadable } from "./input-file.ts";
import { localTree } from "./local-tree.ts";
import { readerOf } from "./remote-path.ts";

export interface InputPathsQuery {
  /** Files, directories, globs; `-` for standard input. */
  readonly paths: readonly string[];
  /** The directory that relative paths start from. */
  readonly from: string;
  /**
   * The directory in which standard input and pipes are kept as files; without it there can be
   * none.
   */
  readonly spoolInto?: string;
}

/**
 * The files that the paths name, sorted and each once; then the contents of standard input and
 * pipes, in the order of their names. Throws an InputError if a path names no file.
 */
export async function inputFiles(query: InputPathsQuery): Promise<readonly FileState[]> {
  const { paths, from, spoolInto } = query;
  if (paths.length === 0) {
    throw new InputError("missing-file", "input", "expected a path, in the job file or by --input");
  }
  const found = new Set<string>();
  const streams = new Set<string>();
  for (const pattern of paths) {
    if (isStream(pattern, from)) streams.add(pattern === "-" ? "-" : resolve(from, pattern));
    else for (const { path } of await filesOf(pattern, from)) found.add(path);
  }
  const spooled: string[] = [];
  if (streams.size > 0) {
    if (spoolInto === undefined) {
      throw new InputError("bad-flag", "input", "expected files: there is no standard input here");
    }
    const spool = new Spool(spoolInto);
    for (const stream of streams) spooled.push(await spool.take(stream));
  }
  return [...[...found].sort(), ...spooled].map((path) => {
    const found = statOf(path);
    return { path, bytes: Number(found.size), identity: identityOf(found) };
  });
}

/**
 * Whether the path can be read only once and has no size: standard input, a named pipe, `<(...)`.
 */
function isStream(path: string, from: string): boolean {
  if (path === "-") return true;
  const file = resolve(from, path);
  // A path that leads through a file is an error, not a missing entry.
  if (!existsSync(file)) return false;
  const stat = statSync(file);
  return stat.isFIFO() || stat.isCharacterDevice() || stat.isSocket();
}

async function filesOf(pattern: string, from: string): Promise<readonly TreeEntry[]> {
  try {
    const files = await globFiles(localTree(from), pattern);
    if (files.length > 0) return files;
  } catch (error) {
    throw unreadable(resolve(from, pattern), error);
  }
  const reader = readerOf(pattern);
  if (reader !== undefined) {
    const pipe = `${reader} | broomwagon run JOB --input -`;
    throw new InputError(
      "missing-file",
      `input ${pattern}`,
      `this URL is not read: try \`${pipe}\``,
    );
  }
  throw new InputError(
    "missing-file",
    `input ${pattern}`,
    existsSync(resolve(from, pattern))
      ? "expected a file in it; names that begin with _ or . are passed over"
      : `no such file below ${from}`,
  );
}

function statOf(path: string): BigIntStats {
  try {
    const stat = statSync(path, { bigint: true });
    if (stat.isFile()) return stat;
  } catch (error) {
    throw unreadable(path, error);
  }
  const expected = "expected a file; a named pipe is read where --input names it by itself";
  throw new InputError("missing-file", path, expected);
}

/**
 * Copies a stream that can be read only once, such as standard input, to a file in a directory,
 * where it can be cut.
 */
class Spool {
  readonly #directory: string;
  #files = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Takes a stream, `-` for standard input, and returns the file's path. */
  async take(path: string): Promise<string> {
    mkdirSync(this.#directory, { recursive: true });
    const isStandard = path === "-";
    const to = join(this.#directory, isStandard ? "standard-input" : `pipe-${++this.#files}`);
    try {
      await pipeline(isStandard ? process.stdin : createReadStream(path), createWriteStream(to));
    } catch (error) {
      if (error instanceof Error && "path" in error && error.path === to) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new InputError("bad-input", `input ${path}`, `it cannot be read: ${reason}`);
    }
    return to;
  }
}
