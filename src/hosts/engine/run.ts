import { existsSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { NO_BAD_RECORDS } from "../../data/formats/malformed.ts";
import { isIntact } from "../../data/index.ts";
import { webAssembly } from "../../data/kernel/web-assembly.ts";
import { importPolicies } from "../../data/load/import-policies.ts";
import { preparePolicies } from "../../data/load/policy-files.ts";
import type { Fault } from "../../model/fault.ts";
import { withOwnPolicies } from "../../policy/own-policies.ts";
import { REGISTRY } from "../../policy/registry.ts";
import { type JobPlan, planAgain, planJob } from "../../run/job-plan.ts";
import {
  MEMORY_BYTES_MIN,
  type ResumeOptions,
  RUN_DEFAULTS,
  type RunOptions,
  recordOptions,
} from "../../run/options.ts";
import { endLeftovers } from "../../run/process-birth.ts";
import { rackNames } from "../../run/racks.ts";
import { RunDirectory } from "../../run/run-directory.ts";
import type { RunEvent } from "../../run/run-event.ts";
import { RunError, type RunResult } from "../../run/run-result.ts";
import { failureText, sumUp } from "../../run/sum-up.ts";
import { atUserPath } from "../../run/user-path.ts";
import { collectedRecords, collecting } from "./collected.ts";
import { EventStream } from "./event-stream.ts";
import { cutAtBadParts, type KilledRun, readKilledRun } from "./killed-run.ts";
import { checkFaults, type FaultTargets } from "./master/check-fault.ts";
import { datasetVersion } from "./master/dataset-store.ts";
import { type Ended, factsOfRun } from "./master/facts-of-run.ts";
import type { Submitted } from "./master/flows.ts";
import { Master } from "./master/master.ts";
import { OutputDirectory } from "./output-directory.ts";
import { checkOutputPlace } from "./output-place.ts";
import { checkRacks } from "./racks/check-racks.ts";

/** A run that has begun. */
export interface Running {
  /**
   * Events in order, from the moment a reader begins until the run is over. A reader that begins at
   * once sees all of them. Stopping to read does not stop the run.
   */
  readonly events: AsyncIterable<RunEvent>;
  /**
   * Rejects with an InputError for a mistake of the user's that shows before anything has begun,
   * and with a RunError if the job failed or was aborted.
   */
  readonly result: Promise<RunResult>;
  /**
   * The records of an output of a run with `collect`, part by part, as they were written, once the
   * run has succeeded. `output` chooses one where there are several. Rejects as `result` does.
   */
  records(output?: string): AsyncIterable<unknown>;
  /**
   * Starts a fault; its times count from now. InputError for a fault that the cluster cannot have.
   * Does nothing unless the job is running.
   */
  inject(fault: Fault): void;
}

/**
 * Runs a job to its end.
 *
 *     const running = run({ jobFile: "count.ts", input: ["logs"], output: "counts", discipline });
 *     for await (const event of running.events) console.log(event.kind);
 *     const { counters } = await running.result;
 */
export function run(options: RunOptions): Running {
  return running(options, async (onEvent, control) => {
    webAssembly();
    const asked = { ...RUN_DEFAULTS, ...options };
    checkSettings(asked);
    const directory = RunDirectory.make(asked.runDirectory, new Date());
    const settings = collecting(asked, directory.path);
    const run = new Run({ settings, directory, onEvent });
    control.inject = (fault) => run.inject(fault);
    try {
      const { files = [] } = asked.discipline;
      if (files.length > 0) await preparePolicies({ files, into: directory.policies });
      return await run.toItsEnd();
    } catch (error) {
      // The run directory holds nothing worth keeping.
      if (error instanceof InputError && !run.isSubmitted) directory.remove();
      throw error;
    }
  });
}

/**
 * Resumes a run whose process was killed, from its journal: finished work that still exists is not
 * repeated.
 */
export function resume(options: ResumeOptions): Running {
  return running(options, async (onEvent, control) => {
    const { runDirectory = RUN_DEFAULTS.runDirectory, signal } = options;
    const isFolder = options.run.includes("/") || existsSync(join(options.run, "journal.ndjson"));
    const path = isFolder ? options.run : join(runDirectory, options.run);
    const directory = RunDirectory.adopt(path);
    const own = await importPolicies(directory.policies);
    const killedRun = readKilledRun(directory, withOwnPolicies(REGISTRY, own));
    await endLeftovers(killedRun.processes);
    const settings = {
      ...RUN_DEFAULTS,
      ...killedRun.options,
      discipline: killedRun.discipline,
      runDirectory: dirname(directory.path),
      ...(signal !== undefined && { signal }),
    };
    // The process was killed before it did anything.
    if (killedRun.plan === undefined) rmSync(directory.journal);
    const run = new Run({ settings, directory, onEvent, killedRun });
    control.inject = (fault) => run.inject(fault);
    return run.toItsEnd();
  });
}

type OnEvent = (event: RunEvent) => void;

/** The functions of a run that are there once it has begun. */
interface Control {
  inject: (fault: Fault) => void;
}

function running(
  { onEvent }: Pick<RunOptions, "onEvent">,
  begin: (onEvent: OnEvent, control: Control) => Promise<RunResult>,
): Running {
  const control: Control = { inject: () => {} };
  const stream = new EventStream<RunEvent>();
  const tell = (event: RunEvent): void => {
    onEvent?.(event);
    stream.add(event);
  };
  const result = begin(tell, control).finally(() => stream.end());
  // A program may read all events before it looks at the result.
  result.catch(() => {});
  return {
    events: { [Symbol.asyncIterator]: () => stream.read() },
    result,
    records: (output) => collectedRecords(result, output),
    inject: (fault) => control.inject(fault),
  };
}

type Settings = RunOptions & Required<Pick<RunOptions, keyof typeof RUN_DEFAULTS>>;

/** The caller aborted the run before its job was submitted. */
class Aborted extends Error {}

/** One run of one job, from the plan to the summary. */
class Run {
  readonly #settings: Settings;
  readonly #directory: RunDirectory;
  readonly #onEvent: OnEvent;
  /** The remains of an earlier process of this run that was killed. */
  readonly #killedRun: KilledRun | undefined;
  readonly #broken: Promise<never>;
  #break: (error: unknown) => void = () => {};
  /** Undefined before and after the work. */
  #master: Master | undefined;
  /** From then on the run directory is worth keeping. */
  isSubmitted = false;

  constructor(query: {
    readonly settings: Settings;
    readonly directory: RunDirectory;
    readonly onEvent: OnEvent;
    readonly killedRun?: KilledRun;
  }) {
    this.#settings = query.settings;
    this.#directory = query.directory;
    this.#onEvent = query.onEvent;
    this.#killedRun = query.killedRun;
    this.#broken = new Promise((_, reject) => {
      this.#break = reject;
    });
    // The promise may reject before it is awaited.
    this.#broken.catch(() => {});
  }

  inject(fault: Fault): void {
    checkFaults([fault], targetsOf(this.#settings));
    if (this.isSubmitted) this.#master?.inject(fault);
  }

  async toItsEnd(): Promise<RunResult> {
    const master = this.#newMaster();
    this.#master = master;
    let output: OutputDirectory | undefined;
    let ended: Ended | undefined;
    // A second Ctrl-C, for instance, exits without waiting; even then no process is left.
    const leave = (): void => {
      master.abandon();
      this.#clearUp(output);
    };
    process.once("exit", leave);
    try {
      try {
        const plan = await this.#unlessAborted(this.#plan(master));
        output = this.#openOutput(plan);
        ended = await this.#perform(master, plan, output);
      } catch (error) {
        if (!(error instanceof Aborted)) throw error;
      } finally {
        this.#master = undefined;
        await master.stop();
      }
      const result = this.#sumUp(master, ended);
      // On a full disk the summary may have no room but the nodes' own.
      await this.#directory.clearNodes();
      const { summary } = this.#directory;
      // A run without a summary can be resumed, so the summary comes last.
      atUserPath(summary, "a file to write", () =>
        writeFileSync(summary, `${JSON.stringify(result, undefined, 2)}\n`),
      );
      if (result.outcome !== "succeeded") throw new RunError(failureText(result), result);
      return result;
    } finally {
      process.off("exit", leave);
      this.#clearUp(output);
    }
  }

  /**
   * Plans the job while the nodes' processes start. The job begins with the first node that is
   * ready, unless faults or the placement of data require all nodes.
   */
  async #plan(master: Master): Promise<JobPlan> {
    const planned = this.#killedRun?.plan;
    if (planned !== undefined) return planAgain(planned);
    master.prepare();
    const { faults = [], racks, replication } = this.#settings;
    const plan = planJob(this.#settings, this.#directory.preparedJob);
    if (faults.length === 0 && racks === 1 && replication === 0) return plan;
    return Promise.all([plan, master.allReady]).then(([plan]) => plan);
  }

  #clearUp(output: OutputDirectory | undefined): void {
    // The files of a killed process may be of use to a later resume.
    if (this.#killedRun !== undefined && !this.isSubmitted) return;
    output?.close();
    this.#directory.tidy();
  }

  #openOutput(plan: JobPlan): OutputDirectory {
    const { overwrite, runDirectory } = this.#settings;
    const { id } = this.#directory;
    const { commit } = this.#killedRun ?? {};
    checkOutputPlace({
      output: plan.output,
      jobFile: plan.file.file,
      inputFiles: plan.inputs.flatMap(({ input }) => input.splits.map(({ file }) => file)),
      inputPaths: plan.inputs.flatMap(({ paths }) => paths),
      runDirectory,
      workingDirectory: process.cwd(),
    });
    const output = new OutputDirectory({
      path: plan.output,
      overwrite,
      id,
      ...(commit !== undefined && { commit }),
      takesPlaceOf: (run) => this.#directory.takePlaceOf(run),
    });
    this.#directory.alsoPassing(output.area);
    return output;
  }

  async #perform(master: Master, plan: JobPlan, output: OutputDirectory): Promise<Ended> {
    const { job, end } = this.#submit(master, plan, output);
    const { signal } = this.#settings;
    // An abort within `onEvent` comes in the middle of a step.
    const abort = (): void => void setImmediate(() => master.kill(job));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    try {
      const how = await Promise.race([end, this.#broken]);
      if (job.problem !== undefined) throw job.problem;
      if (how.outcome === "succeeded") master.commit(job);
      return { job, outcome: how.outcome, responseMs: master.context.now - job.submittedAt };
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  #submit(master: Master, plan: JobPlan, output: OutputDirectory): Submitted {
    const killedRun = this.#killedRun;
    if (killedRun?.plan === undefined) {
      master.start();
      this.isSubmitted = true;
      return master.submit(plan, output);
    }
    cutAtBadParts(this.#directory, killedRun.parts, ({ part, checksum }) =>
      datasetVersion(part) === undefined
        ? output.holds({ part, checksum })
        : isIntact({ path: join(this.#directory.path, part), checksum }),
    );
    const submitted = master.resume(plan, output);
    this.isSubmitted = true;
    return submitted;
  }

  /** Does not let an abort wait for the user's module to load or for processes to start. */
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
    const { faults = [] } = this.#settings;
    return new Master({
      ...this.#settings,
      faults,
      onEvent: this.#onEvent,
      directory: this.#directory,
      broken: this.#break,
      options: recordOptions(this.#settings),
      isResumed: this.#killedRun?.plan !== undefined,
    });
  }

  #sumUp(master: Master, ended: Ended | undefined): RunResult {
    const directory = this.#directory;
    const { jobFile, output, discipline } = this.#settings;
    const run = { directory, discipline: discipline.name };
    if (ended !== undefined) return sumUp({ ...run, ...factsOfRun(master, ended) });
    return sumUp({
      ...run,
      job: basename(jobFile, extname(jobFile)),
      outcome: "killed",
      output: output === undefined ? "" : resolve(output),
      parts: [],
      responseMs: 0,
      wallMs: master.context.now,
      phases: [],
      counters: {},
      badRecords: NO_BAD_RECORDS,
      attempts: master.context.attempts.facts,
      nodes: master.nodeFacts,
      outputsLost: [],
      outputsCopied: [],
      recomputes: [],
      faultsMissed: [],
    });
  }
}

function checkSettings(settings: Settings): void {
  const counts = ["nodes", "slots", "racks", "heartbeatMs", "askAgainMs", "attemptsMax"] as const;
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
  const { memoryBytes = MEMORY_BYTES_MIN } = settings;
  if (!(memoryBytes >= MEMORY_BYTES_MIN && memoryBytes < Number.POSITIVE_INFINITY)) {
    const expected = `expected ${MEMORY_BYTES_MIN} or more, found ${memoryBytes}`;
    throw new InputError("bad-flag", "memoryBytes", expected);
  }
  if (settings.collect && (settings.output ?? settings.outputChange) !== undefined) {
    const expected = "expected no output beside it: what is written comes back as values";
    throw new InputError("bad-flag", "collect", expected);
  }
  checkRacks(settings);
  checkFaults(settings.faults ?? [], targetsOf(settings));
}

function targetsOf({ nodes, racks, rackMbps }: Settings): FaultTargets {
  return {
    nodes: Array.from({ length: nodes }, (_, index) => `n${index + 1}`),
    racks: rackNames(racks),
    hasLimitedLinks: rackMbps !== undefined,
  };
}
