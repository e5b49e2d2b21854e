import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { InputError } from "../base/input-error.ts";
import { Place } from "../base/shape.ts";
import { isFlow, isJob, type Job } from "../job/index.ts";
import type { Program } from "../job/program.ts";
import { programOf } from "../job/program-of.ts";
import type { JobSource } from "./options.ts";

/**
 * Where the threads of a run find its job: the file itself, or the module that defined the job.
 * InputError if they would not find it.
 */
export function jobSource(job: unknown): {
  readonly job: JobSource;
  readonly program?: Program;
} {
  if (typeof job === "string" && job !== "") return { job: { file: job } };
  if (job instanceof URL && job.protocol === "file:") return { job: { file: fileURLToPath(job) } };
  if (isJob(job) || isFlow(job)) {
    const { file, index } = placeOf(job.definition);
    const defined = { index, argv: [...process.argv] };
    return { job: { file, defined }, program: programOf(job) };
  }
  const expected = "the path of a job file, or what defineJob or defineFlow returned";
  return new Place("bad-job", "run").refuse(expected, job);
}

const CURE =
  "Define it at the top level of a module, and give what varies by `params`; or give the path " +
  "of its file.";

function placeOf(definition: Job["definition"]): NonNullable<Job["definition"]> {
  if (definition === undefined) {
    const found = "found one made in a function that was called later";
    throw new InputError("bad-job", "run", `${EXPECTED}, ${found}. ${CURE}`);
  }
  const { file, isAfterRun } = definition;
  if (!existsSync(file)) {
    const found = "found one of a prompt, or of a program without a file";
    throw new InputError("bad-job", file, `${EXPECTED}, ${found}. ${CURE}`);
  }
  if (isAfterRun) {
    const why = "a task thread loads the module, too, and stays at that call";
    const cure = "Define all jobs before the first `await run(...)`.";
    throw new InputError("bad-job", file, `found a job defined after a run: ${why}. ${cure}`);
  }
  return definition;
}

const EXPECTED =
  "expected a job that task threads can find, since each of them loads the job's module";
