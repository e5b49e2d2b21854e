import { InputError } from "../../base/input-error.ts";
import { isFlow, isJob } from "../../job/index.ts";
import type { Program } from "../../job/program.ts";
import { programOf } from "../../job/program-of.ts";
import { changedProgram, type OutputChange } from "../formats/output-change.ts";
import { importModule } from "./import-module.ts";

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
  const module = await importModule(entry, file, "bad-job");
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
