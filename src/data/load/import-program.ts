import { pathToFileURL } from "node:url";
import { InputError } from "../../base/input-error.ts";
import { culpritOf } from "../../job/culprit.ts";
import { isFlow, isJob } from "../../job/index.ts";
import type { Program } from "../../job/program.ts";
import { programOf } from "../../job/program-of.ts";
import { changedProgram, type OutputChange } from "../formats/output-change.ts";
import { functionPlace } from "../task/function-place.ts";

/** A job file made ready for workers. Plain data. */
export interface PreparedJobFile {
  /** Absolute path of the module to import. */
  readonly entry: string;
  /** Absolute path of the user's file. */
  readonly file: string;
  /** The run's changes to the output, if any. */
  readonly outputChange?: OutputChange;
}

/**
 * The program of a prepared job file; throws an InputError if the default export is neither a job
 * nor a flow.
 */
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
    // Either the job's own call of defineJob found a mistake, or an export is missing.
    if (!(error instanceof Error)) throw error;
    const line = lineIn(error.stack ?? "", file);
    const culprit = culpritOf(error);
    const place =
      (culprit && functionPlace(culprit)) ?? (line === undefined ? file : `${file}:${line}`);
    const prefix = error.name === "Error" || error.name === "InputError" ? "" : `${error.name}: `;
    throw Object.assign(new InputError("bad-job", place, `${prefix}${error.message}`), {
      cause: error,
    });
  }
}

/** The line of the first frame of a stack that lies in the file. */
function lineIn(stack: string, file: string): string | undefined {
  const at = stack.indexOf(`${file}:`);
  return at < 0 ? undefined : /^\d+/.exec(stack.slice(at + file.length + 1))?.[0];
}
