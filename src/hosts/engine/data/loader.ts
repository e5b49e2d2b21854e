import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError } from "../../../base/input-error.ts";
import { isFlow, isJob, type Params } from "../../../job/index.ts";
import type { Program } from "../../../job/program.ts";
import { programOf } from "../../../job/program-of.ts";
import { changedProgram, type OutputChange } from "./formats/output-change.ts";
import { ModuleGraph } from "./module-graph.ts";

/** A job file made ready for workers. Plain data. */
export interface PreparedJobFile {
  /** Absolute path of the module to import. */
  readonly entry: string;
  /** Absolute path of the file that the user wrote. */
  readonly file: string;
  /** How it shall write, where that is not to be as it says. */
  readonly outputChange?: OutputChange;
}

/**
 * Writes the job file and all it imports by relative path into the directory `into`, as plain
 * JavaScript that any worker can import on any Node. InputError names file and line.
 */
export async function prepareJobFile(query: {
  readonly file: string;
  readonly into: string;
  readonly outputChange?: OutputChange | undefined;
}): Promise<PreparedJobFile> {
  const path = resolve(query.file);
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new InputError("missing-file", path, "no such job file");
  }
  const file = realpathSync(path);
  mkdirSync(query.into, { recursive: true });
  const graph = new ModuleGraph(resolve(query.into));
  const entry = await graph.add(file);
  for (const { to, code } of graph.modules()) writeFileSync(to, code);
  const { outputChange } = query;
  return { entry, file, ...(outputChange !== undefined && { outputChange }) };
}

/** What a prepared job file comes to; InputError if its default export is no job and no flow. */
export async function importProgram(prepared: PreparedJobFile): Promise<Program> {
  const { entry, file, outputChange } = prepared;
  const module: unknown = await importModule(entry, file);
  if (typeof module !== "object" || module === null || !("default" in module)) {
    throw new InputError("bad-job", file, "expected `export default defineJob({ ... })`");
  }
  const what = module.default;
  if (isJob(what) || isFlow(what)) {
    const program = programOf(what);
    return outputChange === undefined ? program : changedProgram(program, outputChange);
  }
  const expected = "expected its default export to come from defineJob or defineFlow";
  throw new InputError("bad-job", file, expected);
}

async function importModule(entry: string, file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(entry).href);
  } catch (error) {
    // A mistake that the job's own call of defineJob found, or an export that is not there.
    if (!(error instanceof Error)) throw error;
    const line = lineIn(error.stack ?? "", file);
    const place = line === undefined ? file : `${file}:${line}`;
    const prefix = error.name === "Error" || error.name === "InputError" ? "" : `${error.name}: `;
    throw Object.assign(new InputError("bad-job", place, `${prefix}${error.message}`), {
      cause: error,
    });
  }
}

/** The line of the first frame of a stack that is in the file. */
function lineIn(stack: string, file: string): string | undefined {
  const at = stack.indexOf(`${file}:`);
  return at < 0 ? undefined : /^\d+/.exec(stack.slice(at + file.length + 1))?.[0];
}

/** The job's parameters with what the command line gave, as text; InputError for an unknown one. */
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
