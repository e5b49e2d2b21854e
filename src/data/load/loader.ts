import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, resolve } from "node:path";
import { InputError } from "../../base/input-error.ts";
import type { Params } from "../../job/index.ts";
import type { Program } from "../../job/program.ts";
import { type FileState, identityOf } from "../formats/input-file.ts";
import type { OutputChange } from "../formats/output-change.ts";
import { webAssembly } from "../kernel/web-assembly.ts";
import type { DefinedJob, PreparedJobFile } from "./import-program.ts";
import { JOB_KIND, ModuleGraph, type UsedPackage } from "./module-graph.ts";

/**
 * Writes the job file and all its relative imports into the directory `into`, as plain JavaScript
 * that any worker can import on any Node; CommonJS stays where it is. An InputError names file and
 * line.
 */
export async function prepareJobFile(query: {
  readonly file: string;
  readonly into: string;
  readonly defined?: DefinedJob | undefined;
  readonly outputChange?: OutputChange | undefined;
}): Promise<PreparedJobFile> {
  const file = userFile(query.file);
  const entry = await writeModules(file, new ModuleGraph(resolve(query.into)), query.into);
  const { defined, outputChange } = query;
  return {
    entry,
    file,
    ...(entry === file && { inPlace: stateOf(file) }),
    ...(defined !== undefined && { defined }),
    ...(outputChange !== undefined && { outputChange }),
  };
}

function stateOf(path: string): FileState {
  const stat = statSync(path, { bigint: true });
  return { path, bytes: Number(stat.size), identity: identityOf(stat) };
}

/**
 * Prepares a job file for another machine: `entry` is the module's name in the directory, and
 * `packages` must be installed there under their names. Throws an InputError if something cannot
 * travel.
 */
export async function shipJobFile(query: {
  readonly file: string;
  readonly into: string;
}): Promise<
  Pick<PreparedJobFile, "entry" | "file"> & { readonly packages: Iterable<UsedPackage> }
> {
  const file = userFile(query.file);
  const graph = new ModuleGraph(resolve(query.into), { travels: true });
  const entry = await writeModules(file, graph, query.into);
  return { entry: basename(entry), file, packages: graph.packages() };
}

/** The absolute path of a user's file; InputError if the file cannot be read. */
export function userFile(named: string, { what } = JOB_KIND): string {
  const path = resolve(named);
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new InputError("missing-file", path, `no such ${what}`);
  }
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new InputError("missing-file", path, `expected a ${what} that may be read`);
  }
  return realpathSync(path);
}

/** Writes the file and its imports into the directory; returns the path of the file's copy. */
export async function writeModules(
  file: string,
  graph: ModuleGraph,
  into: string,
): Promise<string> {
  // The lexer and the compiler are WebAssembly too, and without it fail with errors of their own.
  webAssembly();
  mkdirSync(into, { recursive: true });
  const entry = await graph.entry(file);
  for (const { to, code } of graph.modules()) writeFileSync(to, code);
  return entry;
}

/**
 * The job's parameters with the values from the command line, which are text; throws an InputError
 * for an unknown one.
 */
export function resolveParams(
  job: Pick<Program, "params">,
  given: Readonly<Record<string, string>>,
): Params {
  const params: Record<string, string | number | boolean> = { ...job.params };
  for (const [name, text] of Object.entries(given)) {
    const usual = job.params[name];
    if (usual === undefined || !Object.hasOwn(job.params, name)) {
      const known = Object.keys(job.params).join(", ") || "none";
      throw new InputError("unknown-parameter", `parameter ${name}`, `expected one of: ${known}`);
    }
    params[name] = parseAs(usual, text, name);
  }
  return params;
}

function parseAs(usual: string | number | boolean, text: string, name: string) {
  if (typeof usual === "string") return text;
  if (typeof usual === "number") {
    const number = Number(text);
    if (text.trim() !== "" && !Number.isNaN(number)) return number;
  } else if (text === "true" || text === "false") {
    return text === "true";
  }
  const expected = `expected a ${typeof usual}, found ${JSON.stringify(text)}`;
  throw new InputError("bad-parameter", `parameter ${name}`, expected);
}
