import { writeFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { Place } from "../../base/shape.ts";
import { NO_BAD_RECORDS } from "../../data/formats/malformed.ts";
import { isIntact } from "../../data/index.ts";
import type { Fault } from "../../model/fault.ts";
import { fault as faultShape } from "../../model/fault-shape.ts";
import { type JobPlan, planAgain, planJob } from "../../run/job-plan.ts";
import { type RunSettings, recordOptions } from "../../run/options.ts";
import { rackNames } from "../../run/racks.ts";
import type { RunDirectory } from "../../run/run-directory.ts";
import { RunError, type RunResult } from "../../run/run-result.ts";
import { failureText, sumUp } from "../../run/sum-up.ts";
import { atUserPath } from "../../run/user-path.ts";
import { cutAtBadParts, type KilledRun } from "./killed-run.ts";
import { checkFaults, type FaultTargets } from "./master/check-fault.ts";
import { datasetVersion } from "./master/dataset-store.ts";
import { type Ended, factsOfRun } from "./master/facts-of-run.ts";
import type { Submitted } from "./master/flows.ts";
import { Master } from "./master/master.ts";
import { OutputDirectory } from "./output-directory.ts";
import { checkOutputPlace } from "./output-place.ts";
import { checkRacks } from "./racks/check-racks.ts";
import type { OnEvent } from "./running.ts";

/** The caller aborted the run before its job was submitted. */
class Aborted extends Error {}

/** One run of one job, from the plan to the summary. */
export class OneRun {
  readonly #settings: RunSettings;
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
    readonly settings: RunSettings;
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
    const checked = faultShape.read(fault, new Place("bad-flag", "inject"));
    checkFaults([checked], targetsOf(this.#settings));
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
      if (result.outcome === "succeeded") return result;
      const { signal } = this.#settings;
      const how = signal?.aborted ? { cause: signal.reason } : {};
      throw new RunError(failureText(result), result, how);
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
    // No process is started for a run that was aborted before it began.
    if (this.#settings.signal?.aborted) throw new Aborted();
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
    const { job, output, discipline } = this.#settings;
    const run = { directory, discipline: discipline.name };
    if (ended !== undefined) return sumUp({ ...run, ...factsOfRun(master, ended) });
    return sumUp({
      ...run,
      job: basename(job.file, extname(job.file)),
      outcome: "killed",
      output: output === undefined ? "" : resolve(output),
      parts: [],
      responseMs: 0,
      wallMs: master.context.now,
      phases: [],
      counters: {},
      badRecords: NO_BAD_RECORDS,
      attempts: master.context.attemptFacts,
      nodes: master.nodeFacts,
      outputsLost: [],
      outputsCopied: [],
      recomputes: [],
      faultsMissed: [],
    });
  }
}

/** InputError for options that do not fit each other, or that this machine cannot have. */
export function checkSettings(settings: RunSettings): void {
  if (settings.collect && (settings.output ?? settings.outputChange) !== undefined) {
    const expected = "expected no output beside it: what is written comes back as values";
    throw new InputError("bad-flag", "collect", expected);
  }
  checkRacks(settings);
  checkFaults(settings.faults ?? [], targetsOf(settings));
}

function targetsOf({ nodes, racks, rackMbps }: RunSettings): FaultTargets {
  return {
    nodes: Array.from({ length: nodes }, (_, index) => `n${index + 1}`),
    racks: rackNames(racks),
    hasLimitedLinks: rackMbps !== undefined,
  };
}
