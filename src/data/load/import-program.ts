import { InputError } from "../../base/input-error.ts";
import { type Flow, isFlow, isJob, type Job } from "../../job/index.ts";
import type { Program } from "../../job/program.ts";
import { programOf } from "../../job/program-of.ts";
import type { FileState } from "../formats/input-file.ts";
import { changedProgram, type OutputChange } from "../formats/output-change.ts";
import { importModule } from "./import-module.ts";
import { isInTask, loading } from "./load.ts";

/** A job file made ready for workers. Plain data. */
export interface PreparedJobFile {
  /** Absolute path of the module to import. */
  readonly entry: string;
  /** Absolute path of the user's file. */
  readonly file: string;
  /** Set if the module is the user's own file: its state when the run began. */
  readonly inPlace?: FileState;
  /** Which of the module's jobs to take; absent: its default export. */
  readonly defined?: DefinedJob;
  /** The run's changes to the output, if any. */
  readonly outputChange?: OutputChange;
}

/** A job or flow that a program has defined. Plain data. */
export interface DefinedJob {
  /** Its number, from 0, among the jobs and flows that its module defines. */
  readonly index: number;
  /** The program's `process.argv`, on which the job may depend. */
  readonly argv: readonly string[];
}

/** The program of a prepared job file; throws an InputError if its module has no such job. */
export async function importProgram(prepared: PreparedJobFile): Promise<Program> {
  const { defined, outputChange } = prepared;
  const what = await (defined === undefined ? exportOf(prepared) : definedIn(prepared, defined));
  return changed(programOf(what), outputChange);
}

/** The program with the run's changes to its outputs, if any. */
export const changed = (program: Program, change: OutputChange | undefined): Program =>
  change === undefined ? program : changedProgram(program, change);

async function exportOf({ entry, file }: PreparedJobFile): Promise<Job | Flow> {
  const module = await new Promise<unknown>((resolve, reject) => {
    const ran = (): void => {
      const cure = `it calls \`run\` itself, so start it with \`node ${file}\``;
      reject(new InputError("bad-job", file, `expected a module that only defines a job: ${cure}`));
    };
    loading({ ran, defined() {} }, () => importModule(entry, file, "bad-job")).then(
      resolve,
      reject,
    );
  });
  if (typeof module !== "object" || module === null || !("default" in module)) {
    throw new InputError("bad-job", file, "expected `export default defineJob({ ... })`");
  }
  const what = module.default;
  if (isJob(what) || isFlow(what)) return what;
  const expected = "expected its default export to come from defineJob or defineFlow";
  throw new InputError("bad-job", file, expected);
}

/**
 * Loads the module until it has defined the job and has nothing more to do, or calls `run`, where
 * it may wait for good.
 */
async function definedIn(
  { entry, file }: PreparedJobFile,
  { index, argv }: DefinedJob,
): Promise<Job | Flow> {
  let count = 0;
  let found: Job | Flow | undefined;
  const { argv: ownArgv } = process;
  process.argv = [...argv];
  try {
    await new Promise<unknown>((resolve, reject) => {
      const load = {
        defined(definition: Job["definition"], what: object) {
          if (definition?.file !== file || count++ !== index) return;
          if (isJob(what) || isFlow(what)) found = what;
        },
        ran() {
          if (found !== undefined) resolve(undefined);
        },
      };
      loading(load, () => importModule(entry, file, "bad-job")).then(resolve, reject);
    });
  } finally {
    // In a task thread, user code reads the arguments later, too.
    if (!isInTask()) process.argv = ownArgv;
  }
  if (found !== undefined) return found;
  const cure = "a task thread loads the module again, and it must define the same jobs there";
  throw new InputError("bad-job", file, `defines no job ${index + 1} when it is loaded: ${cure}`);
}
