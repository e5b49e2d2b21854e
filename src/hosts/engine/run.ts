import { writeFileSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { type JobPlan, planJob } from "./job-plan.ts";
import { totals } from "./master/attempts.ts";
import { checkFaults } from "./master/faults.ts";
import type { JobRun } from "./master/job-run.ts";
import { type JobEnd, Master } from "./master/master.ts";
import { RUN_DEFAULTS, type RunOptions } from "./options.ts";
import { OutputDirectory } from "./output-directory.ts";
import { checkOutputPlace } from "./output-place.ts";
import { RunDirectory } from "./run-directory.ts";
import { RunError, type RunResult } from "./run-result.ts";

/**
 * Runs a job to its end. Rejects with an InputError for what the user must correct before anything
 * has begun, and with a RunError if the job failed or was aborted.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const begun = performance.now();
  const settings = { ...RUN_DEFAULTS, ...options };
  checkSettings(settings);
  const directory = new RunDirectory(settings.runDirectory, new Date());
  let isSubmitted = false;
  const submitted = (): void => {
    isSubmitted = true;
  };
  try {
    return await new Run({ settings, directory, begun, submitted }).toItsEnd();
  } catch (error) {
    // Nothing has happened that anybody may want to look up.
    if (error instanceof InputError && !isSubmitted) directory.remove();
    throw error;
  }
}

type Settings = RunOptions & Required<Pick<RunOptions, keyof typeof RUN_DEFAULTS>>;

/** The caller has aborted the run before its job was submitted. */
class Aborted extends Error {}

/** What became of the job, once it was submitted. */
interface Ended {
  readonly job: JobRun;
  readonly end: JobEnd;
  readonly responseMs: number;
}

/** One run of one job, from the plan to the summary. */
class Run {
  readonly #settings: Settings;
  readonly #directory: RunDirectory;
  readonly #begun: number;
  readonly #submitted: () => void;
  readonly #broken: Promise<never>;
  #break: (error: unknown) => void = () => {};

  constructor(query: {
    readonly settings: Settings;
    readonly directory: RunDirectory;
    readonly begun: number;
    /** Called when the job is submitted: from then on there is something to look up. */
    readonly submitted: () => void;
  }) {
    this.#settings = query.settings;
    this.#directory = query.directory;
    this.#begun = query.begun;
    this.#submitted = query.submitted;
    this.#broken = new Promise((_, reject) => {
      this.#break = reject;
    });
    // It may break while nobody waits, and is looked at then.
    this.#broken.catch(() => {});
  }

  async toItsEnd(): Promise<RunResult> {
    const master = this.#newMaster();
    let output: OutputDirectory | undefined;
    let ended: Ended | undefined;
    try {
      const plan = await this.#unlessAborted(planJob(this.#settings, this.#directory.preparedJob));
      output = this.#openOutput(plan);
      ended = await this.#perform(master, plan, output);
    } catch (error) {
      if (!(error instanceof Aborted)) throw error;
    } finally {
      try {
        await master.stop(ended?.end.outcome === "succeeded" ? "release" : "kill");
      } finally {
        output?.close();
        this.#directory.tidy();
      }
    }
    const result = this.#sumUp(master, ended);
    writeFileSync(this.#directory.summary, `${JSON.stringify(result, undefined, 2)}\n`);
    if (result.outcome !== "succeeded") throw new RunError(message(result), result);
    return result;
  }

  #openOutput(plan: JobPlan): OutputDirectory {
    const { overwrite, runDirectory } = this.#settings;
    const { id } = this.#directory;
    checkOutputPlace({
      output: plan.output,
      jobFile: plan.file.file,
      inputFiles: plan.input.splits.map(({ file }) => file),
      inputPaths: plan.inputPaths,
      runDirectory,
      workingDirectory: process.cwd(),
    });
    const output = new OutputDirectory({ path: plan.output, overwrite, id });
    this.#directory.alsoPassing(output.area);
    return output;
  }

  async #perform(master: Master, plan: JobPlan, output: OutputDirectory): Promise<Ended> {
    await this.#unlessAborted(master.start());
    const submittedAt = performance.now();
    this.#submitted();
    const { job, end } = master.submit(plan, output);
    const { signal } = this.#settings;
    // Whoever aborts from within `onEvent` stands in the middle of a step of ours.
    const abort = (): void => void setImmediate(() => master.kill(job));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    try {
      const how = await Promise.race([end, this.#broken]);
      if (how.outcome === "succeeded") master.commit(job);
      return { job, end: how, responseMs: Math.round(performance.now() - submittedAt) };
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** The user's module may take its time, and so may processes that begin. */
  async #unlessAborted<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#settings;
    let abort: () => void = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(new Aborted());
    });
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    try {
      return await Promise.race([aborted, work, this.#broken]);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  #newMaster(): Master {
    const { faults = [], onEvent = () => {} } = this.#settings;
    return new Master({
      ...this.#settings,
      faults,
      onEvent,
      directory: this.#directory,
      broken: this.#break,
    });
  }

  #sumUp(master: Master, ended: Ended | undefined): RunResult {
    const attempts = master.office.attempts.facts;
    const { jobFile, output, discipline } = this.#settings;
    const outcome = ended?.end.outcome ?? "killed";
    const failure = outcome === "failed" ? ended?.job.failure : undefined;
    return {
      id: this.#directory.id,
      job: ended?.job.name ?? basename(jobFile, extname(jobFile)),
      outcome,
      discipline: discipline.name,
      runDirectory: this.#directory.path,
      journal: this.#directory.journal,
      output: ended?.job.output.path ?? (output === undefined ? "" : resolve(output)),
      parts: outcome === "succeeded" ? (ended?.job.parts ?? []) : [],
      responseMs: ended?.responseMs ?? 0,
      wallMs: Math.round(performance.now() - this.#begun),
      phases: ended?.job.phases ?? [],
      counters: ended?.job.counters ?? {},
      attempts,
      totals: totals(attempts),
      nodes: master.nodeFacts,
      outputsLost: master.office.outputsLost,
      recomputes: master.office.recomputes,
      ...(failure === undefined ? {} : { failure }),
    };
  }
}

function checkSettings(settings: Settings): void {
  const counts = ["nodes", "slots", "heartbeatMs", "askAgainMs", "attemptsMax"] as const;
  for (const name of counts) {
    if (Number.isInteger(settings[name]) && settings[name] >= 1) continue;
    throw new InputError(
      "bad-flag",
      name,
      `expected a whole number, 1 or more, found ${settings[name]}`,
    );
  }
  for (const name of ["reduces", "splitBytes", "taskTimeoutMs"] as const) {
    const value = settings[name];
    if (value === undefined || value >= 1) continue;
    throw new InputError("bad-flag", name, `expected 1 or more, found ${value}`);
  }
  checkFaults(settings.faults ?? [], settings.nodes);
}

function message({ job, outcome, failure, attempts }: RunResult): string {
  if (outcome === "killed") return `job ${job} was stopped`;
  if (failure === undefined) return `job ${job} failed`;
  const failures = attempts.filter(
    ({ attempt, end }) => attempt.startsWith(`${failure.task}#`) && end.kind === "failed",
  );
  const place = failure.place === undefined ? "" : ` (${failure.place})`;
  const times = `${failure.task} failed ${failures.length} times`;
  return `job ${job}: ${times}, last: ${failure.message}${place}`;
}
