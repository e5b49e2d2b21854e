import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../../base/input-error.ts";
import { Place } from "../../base/shape.ts";
import { webAssembly } from "../../data/kernel/web-assembly.ts";
import { importPolicies } from "../../data/load/import-policies.ts";
import { preparePolicies } from "../../data/load/policy-files.ts";
import { isFlow, isJob, type Job } from "../../job/index.ts";
import type { Program } from "../../job/program.ts";
import { programOf } from "../../job/program-of.ts";
import { withOwnPolicies } from "../../policy/own-policies.ts";
import type { Discipline } from "../../policy/policy.ts";
import { REGISTRY } from "../../policy/registry.ts";
import { asOption, setsOf } from "../../run/named-discipline.ts";
import {
  type JobSource,
  type ResumeOptions,
  RUN_DEFAULTS,
  type RunJob,
  type RunOptions,
  type RunSettings,
} from "../../run/options.ts";
import { readResumeOptions, readRunOptions } from "../../run/options-shape.ts";
import { registryWith } from "../../run/own-policies.ts";
import { endLeftovers } from "../../run/process-birth.ts";
import { RunDirectory } from "../../run/run-directory.ts";
import type { RunResult } from "../../run/run-result.ts";
import { collecting } from "./collected.ts";
import { engineDiscipline } from "./engine-discipline.ts";
import { readKilledRun } from "./killed-run.ts";
import { checkSettings, OneRun } from "./one-run.ts";
import type { Control, OnEvent } from "./running.ts";

/** Runs a job from its beginning; a run that is refused leaves nothing behind. */
export async function newRun(
  job: RunJob,
  options: RunOptions,
  tell: OnEvent,
  control: Control,
): Promise<RunResult> {
  const asked = readRunOptions(options);
  const all = await settingsOf(job, asked);
  webAssembly();
  checkSettings(all);
  const directory = RunDirectory.make(all.runDirectory, new Date());
  const settings = collecting(all, directory.path);
  const run = new OneRun({ settings, directory, onEvent: tellBoth(asked, tell) });
  control.inject = (fault) => run.inject(fault);
  try {
    const { files = [] } = settings.discipline;
    if (files.length > 0) await preparePolicies({ files, into: directory.policies });
    return await run.toItsEnd();
  } catch (error) {
    // The run directory holds nothing worth keeping.
    if (error instanceof InputError && !run.isSubmitted) directory.remove();
    throw error;
  }
}

/** Goes on with a run whose process was killed: `id` is its id or its directory. */
export async function resumedRun(
  id: string,
  options: ResumeOptions,
  tell: OnEvent,
  control: Control,
): Promise<RunResult> {
  const asked = readResumeOptions(options);
  if (typeof id !== "string") {
    new Place("bad-flag", "resume").refuse("the id of a run, or its directory", id);
  }
  const { runDirectory = RUN_DEFAULTS.runDirectory, signal } = asked;
  const isFolder = id.includes("/") || existsSync(join(id, "journal.ndjson"));
  const directory = RunDirectory.adopt(isFolder ? id : join(runDirectory, id));
  const own = await importPolicies(directory.policies);
  const killedRun = readKilledRun(directory, withOwnPolicies(REGISTRY, own));
  await endLeftovers(killedRun.processes);
  const settings = {
    ...killedRun.options,
    discipline: killedRun.discipline,
    runDirectory: dirname(directory.path),
    ...(signal !== undefined && { signal }),
  };
  // The process was killed before it did anything.
  if (killedRun.plan === undefined) rmSync(directory.journal);
  const run = new OneRun({ settings, directory, onEvent: tellBoth(asked, tell), killedRun });
  control.inject = (fault) => run.inject(fault);
  return run.toItsEnd();
}

const tellBoth =
  ({ onEvent }: Pick<RunOptions, "onEvent">, tell: OnEvent): OnEvent =>
  (event) => {
    onEvent?.(event);
    tell(event);
  };

/** The options with their defaults; InputError if the job or the discipline cannot be found. */
async function settingsOf(job: RunJob, asked: RunOptions): Promise<RunSettings> {
  const { discipline, set: _s, policies: _p, input = [], ...others } = asked;
  const source = jobSource(job);
  return {
    ...{ ...RUN_DEFAULTS, ...others, ...source, input: [input].flat() },
    discipline: await disciplineOf(asked),
  };
}

async function disciplineOf({
  discipline = RUN_DEFAULTS.discipline,
  set,
  policies = [],
}: RunOptions): Promise<Discipline> {
  if (typeof discipline === "string") {
    const registry = await registryWith([policies].flat());
    return asOption(() => engineDiscipline(discipline, setsOf(set), registry));
  }
  if (set === undefined) return discipline;
  const expected = "expected none beside a discipline that parseDiscipline has made";
  throw new InputError("bad-flag", "run: set", expected);
}

/**
 * Where the threads of a run find its job: the file itself, or the module that defined the job.
 * InputError if they would not find it.
 */
function jobSource(job: unknown): {
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
