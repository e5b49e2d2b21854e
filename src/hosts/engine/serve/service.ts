import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import type { JobOutcome } from "../../../model/action.ts";
import type { Priority } from "../../../model/job.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { type JobPlan, planJob } from "../../../run/job-plan.ts";
import { RUN_DEFAULTS, type RunSettings } from "../../../run/options.ts";
import { RunDirectory } from "../../../run/run-directory.ts";
import type { RunResult } from "../../../run/run-result.ts";
import { failureText, sumUp } from "../../../run/sum-up.ts";
import { ifAllowed } from "../../../run/user-path.ts";
import { factsOfRun } from "../master/facts-of-run.ts";
import type { FlowRun } from "../master/flow-run.ts";
import { Master } from "../master/master.ts";
import { OutputDirectory } from "../output-directory.ts";
import { checkOutputPlace } from "../output-place.ts";
import { checkRacks } from "../racks/check-racks.ts";

/** The options of the engine that jobs share. */
export type ServiceOptions = Partial<
  Pick<
    RunSettings,
    | "nodes"
    | "slots"
    | "racks"
    | "rackMbps"
    | "replication"
    | "memoryBytes"
    | "heartbeatMs"
    | "askAgainMs"
    | "taskTimeoutMs"
    | "attemptsMax"
    | "runDirectory"
    | "explain"
    | "seed"
    | "onEvent"
  >
> & { readonly discipline: Discipline };

/** The options of one job. */
export type JobOptions = Pick<RunSettings, "input"> &
  Partial<
    Pick<
      RunSettings,
      | "output"
      | "outputChange"
      | "onBadRecord"
      | "workingDirectory"
      | "reduces"
      | "splitBytes"
      | "params"
      | "overwrite"
      | "compress"
    >
  > & {
    readonly jobFile: string;
    /** Fair's pool, Capacity's queue. */
    readonly pool?: string;
    readonly priority?: Priority;
  };

/** A job as a row of a table. */
export interface JobRow {
  readonly job: string;
  readonly state: "running" | JobOutcome;
  readonly user: string;
  readonly pool: string;
  readonly priority: string;
  /** ISO 8601. */
  readonly submitted: string;
  /** From the submission to now, or to the job's end. */
  readonly responseMs: number;
  /** The tasks of the flow's jobs that have begun. */
  readonly tasks: number;
  readonly done: number;
  /** The attempts at work. */
  readonly running: number;
  readonly output: string;
  /** Present if the job failed. */
  readonly message?: string;
  /** The summary that `run` would have left; present once the job has ended. */
  readonly summary?: string;
}

type Settings = ServiceOptions & Pick<RunSettings, Exclude<keyof typeof RUN_DEFAULTS, "overwrite">>;

/** The most rows of ended jobs that are kept. */
const ENDED_MAX = 1_000;

/** One engine for many jobs at once: they share its nodes as the sharing policy says. */
export class Service {
  readonly directory: RunDirectory;
  /** Rejects when the engine itself cannot go on. */
  readonly broken: Promise<never>;
  readonly #options: Settings;
  readonly #master: Master;
  readonly #entries = new Map<string, Entry>();
  #count = 0;
  #isStopped = false;

  constructor(options: ServiceOptions) {
    this.#options = { ...RUN_DEFAULTS, ...options };
    checkRacks(this.#options);
    const { runDirectory } = this.#options;
    this.directory = RunDirectory.make(runDirectory, new Date(), "passing");
    let fail: (error: unknown) => void = () => {};
    this.broken = new Promise((_, reject) => {
      fail = reject;
    });
    this.broken.catch(() => {});
    this.#master = new Master({
      ...this.#options,
      faults: [],
      onEvent: (event) => options.onEvent?.(event),
      directory: this.directory,
      broken: fail,
      options: undefined,
      isResumed: false,
    });
    this.#master.prepare();
    this.#master.start();
  }

  /** Resolves when the job has been accepted. InputError for a mistake of the user's. */
  async submit(options: JobOptions): Promise<JobRow> {
    refuseStreams(options);
    const number = this.#count++;
    const own = join(this.directory.preparedJob, String(number));
    try {
      const { jobFile, ...others } = options;
      const job = { file: jobFile };
      const plan = await planJob({ ...this.#options, ...others, job }, own);
      if (this.#isStopped) throw new InputError("bad-flag", plan.name, "the server was stopped");
      const output = this.#openOutput(plan, { number, overwrite: options.overwrite ?? false });
      return this.#begin(this.#named(plan), output, own);
    } catch (error) {
      remove(own);
      throw error;
    }
  }

  /**
   * `own`: the directory of the prepared job file and the job's datasets, since two jobs may use
   * the same dataset names.
   */
  #begin(plan: JobPlan, output: OutputDirectory, own: string): JobRow {
    const { job, end } = this.#master.submit(plan, output, own);
    const entry = new Entry(
      job,
      end.then(({ outcome }) => {
        remove(own);
        entry.message = job.problem?.message;
        this.#ended(entry, outcome);
      }),
    );
    this.#entries.set(plan.name, entry);
    return this.#row(entry);
  }

  /** All jobs, the newest last. */
  get jobs(): readonly JobRow[] {
    return [...this.#entries.values()].map((entry) => this.#row(entry));
  }

  /** Resolves when the job has ended. */
  async ended(name: string): Promise<JobRow> {
    const entry = this.#entry(name);
    await Promise.race([entry.end, this.broken]);
    return this.#row(entry);
  }

  kill(name: string): JobRow {
    const entry = this.#entry(name);
    this.#master.kill(entry.job);
    return this.#row(entry);
  }

  /** Sets new pools or queues; the text is already checked. */
  tune(parameter: string, value: string): void {
    this.#master.tune(parameter, value);
  }

  /** Gives up jobs that have not ended; no process and no unfinished output is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    try {
      await this.#master.stop();
    } finally {
      for (const { job } of this.#entries.values()) job.output.close();
      this.directory.tidy();
    }
  }

  /** The plan under a name that no row has yet. */
  #named(plan: JobPlan): JobPlan {
    let name = plan.name;
    for (let n = 2; this.#isTaken(name); n++) name = `${plan.name}-${n}`;
    return { ...plan, name };
  }

  /** The later jobs of a flow are called `NAME.2` and so on. */
  #isTaken(name: string): boolean {
    return [...this.#entries.keys()].some(
      (known) => known === name || known.startsWith(`${name}.`) || name.startsWith(`${known}.`),
    );
  }

  #openOutput(
    plan: JobPlan,
    { number, overwrite }: { readonly number: number; readonly overwrite: boolean },
  ): OutputDirectory {
    checkOutputPlace({
      output: plan.output,
      jobFile: plan.file.file,
      inputFiles: plan.inputs.flatMap(({ input }) => input.splits.map(({ file }) => file)),
      inputPaths: plan.inputs.flatMap(({ paths }) => paths),
      runDirectory: this.#options.runDirectory,
      workingDirectory: process.cwd(),
    });
    const id = `${this.directory.id}-${number}`;
    const output = new OutputDirectory({ path: plan.output, overwrite, id });
    this.directory.alsoPassing(output.area);
    return output;
  }

  #ended(entry: Entry, outcome: JobOutcome): void {
    const { job } = entry;
    const how = outcome === "succeeded" ? this.#commit(entry) : outcome;
    const responseMs = this.#master.context.now - job.submittedAt;
    const ended = { job, outcome: how, responseMs };
    const { directory } = this;
    const { discipline } = this.#options;
    const facts = factsOfRun(this.#master, ended);
    const result = sumUp({ directory, discipline: discipline.name, ...facts });
    entry.result = result;
    if (how !== "succeeded") entry.message ??= failureText(result);
    entry.summary = this.#writeSummary(result);
    job.output.close();
    this.#master.release(job);
    this.#forgetOldest();
    this.directory.hasPassed(job.output.area);
  }

  /** From here on a refusal of the file system fails the job, not the engine. */
  #commit(entry: Entry): JobOutcome {
    try {
      this.#master.commit(entry.job);
      return "succeeded";
    } catch (error) {
      entry.message = error instanceof Error ? error.message : String(error);
      return "failed";
    }
  }

  #writeSummary(result: RunResult): string {
    const summaries = join(this.directory.path, "jobs");
    mkdirSync(summaries, { recursive: true });
    const path = join(summaries, `${result.job}.json`);
    writeFileSync(path, `${JSON.stringify(result, undefined, 2)}\n`);
    return path;
  }

  #forgetOldest(): void {
    const ended = [...this.#entries].filter(([, { result }]) => result !== undefined);
    for (const [name] of ended.slice(0, -ENDED_MAX)) this.#entries.delete(name);
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry !== undefined) return entry;
    const known = [...this.#entries.keys()].join(", ") || "none";
    throw new InputError("bad-flag", `job ${name}`, `expected one of: ${known}`);
  }

  #row({ job, submittedAt, result, message, summary }: Entry): JobRow {
    const { pool, priority } = job.plan;
    const { attempts, now } = this.#master.context;
    // The loser of a task may live on for a moment until its kill takes effect.
    const running = [...attempts.all].filter(
      ({ name, killedFor }) => killedFor === undefined && job.owns(name),
    ).length;
    return {
      job: job.name,
      state: result?.outcome ?? "running",
      user: userInfo().username,
      pool,
      priority,
      submitted: submittedAt.toISOString(),
      responseMs: result?.responseMs ?? now - job.submittedAt,
      tasks: job.phases.reduce((sum, { tasks }) => sum + tasks, 0),
      done: job.tasksDone,
      running,
      output: job.output.path,
      ...(message !== undefined && { message }),
      ...(summary !== undefined && { summary }),
    };
  }
}

/** A job of the service. */
class Entry {
  readonly job: FlowRun;
  readonly end: Promise<void>;
  readonly submittedAt = new Date();
  result: RunResult | undefined;
  message: string | undefined;
  summary: string | undefined;

  constructor(job: FlowRun, end: Promise<void>) {
    this.job = job;
    this.end = end;
    // The rejection reaches those that await `end`.
    end.catch(() => {});
  }
}

/** Removes now; where the system refuses, the path goes with the server's own directory. */
const remove = (path: string): void =>
  ifAllowed(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));

/** Standard input and output would be the engine's own, so a job cannot use them. */
function refuseStreams({ input, output }: JobOptions): void {
  if (input.some((path) => /(^|=)-$/.test(path))) {
    throw new InputError(
      "bad-flag",
      "input -",
      "expected files: the job is run by an engine elsewhere",
    );
  }
  if (output === "-") {
    throw new InputError(
      "bad-flag",
      "output -",
      "expected a directory: the engine keeps the output",
    );
  }
}
