import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import type { Timeless } from "../../../base/without.ts";
import { formatOf } from "../../../data/formats/formats.ts";
import { ProgramCourse } from "../../../data/task/course.ts";
import type { Program } from "../../../job/program.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { readsOf } from "../../../run/job-plan.ts";
import { RunDirectory } from "../../../run/run-directory.ts";
import type { RunEvent } from "../../../run/run-event.ts";
import { RunError, type RunResult } from "../../../run/run-result.ts";
import { failureText } from "../../../run/sum-up.ts";
import { idleSeats } from "../policy/idle-seats.ts";
import { unknownSettings } from "../policy/known-settings.ts";
import { containerMeans } from "../task/container-means.ts";
import { shipJob } from "../task/ship.ts";
import { shipPolicies } from "../task/ship-policies.ts";
import type { TaskJob } from "../task/task-list.ts";
import { type ClusterAccess, reachCluster } from "./cluster-access.ts";
import { findHadoopClient, type HadoopClient } from "./hadoop-client.ts";
import { runHadoopJob } from "./hadoop-job.ts";
import { HdfsOutput } from "./hdfs-output.ts";
import { type JobFiles, jobFiles } from "./job-files.ts";
import { countersOf, readResults } from "./job-results.ts";
import { JournalCopies } from "./journal-copies.ts";
import { type LostOutput, readLostOutputs } from "./lost-outputs.ts";
import { type MapReduceJob, mapReduceJobs, speculatesIn } from "./map-reduce-jobs.ts";
import { shipNode } from "./shipped-node.ts";
import { pluginJar, Staging, tagOf } from "./staging.ts";
import { sweepStaleRuns } from "./stale-runs.ts";
import { StoredParts } from "./stored-parts.ts";
import { memoryMb, parted, type StreamingJob } from "./streaming-args.ts";
import { TaskNames } from "./task-names.ts";
import { NoAnswer } from "./web-client.ts";
import type { YarnOptions } from "./yarn-options.ts";
import { planYarn, type YarnPlan } from "./yarn-plan.ts";
import { type JobDone, sumUpYarn } from "./yarn-result.ts";

/**
 * Runs a job file on a Hadoop cluster. Rejects with an InputError for a mistake of the user's, with
 * a RunError if the job failed or was killed, and with LeftRunning if the user leaves its
 * application running.
 */
export async function runOnYarn(options: YarnOptions): Promise<RunResult> {
  const access = await reachCluster(options.hadoopConf, options.environment);
  const client = findHadoopClient(access.conf, options.environment);
  const jar = pluginJar();
  const directory = RunDirectory.make(options.runDirectory, new Date(), "passing");
  const run = new YarnRun({ options, access, client, jar, directory });
  try {
    const result = await run.toItsEnd();
    writeFileSync(directory.summary, `${JSON.stringify(result, undefined, 2)}\n`);
    if (result.outcome !== "succeeded") throw new RunError(failureText(result), result);
    return result;
  } catch (error) {
    if (error instanceof InputError && !run.isSubmitted) directory.remove();
    if (error instanceof NoAnswer) throw new InputError("no-cluster", "hadoop", error.message);
    throw error;
  } finally {
    directory.tidy();
    directory.removeIfEmpty();
  }
}

const PREFIX = "broomwagon.";

/** The files for the containers of every job of the run. */
interface Shipped {
  readonly program: TaskJob["program"];
  readonly shipment: string;
  /** The URI of the user's policies, if there are any. */
  readonly policies: string | undefined;
  /** The name of Node in a container. */
  readonly node: string;
  readonly files: StreamingJob["files"];
}

/** One run of one job file: Hadoop jobs, one after the other, and the commit. */
class YarnRun {
  readonly #options: YarnOptions;
  readonly #access: ClusterAccess;
  readonly #client: HadoopClient;
  readonly #jar: string;
  readonly #directory: RunDirectory;
  readonly #staging: Staging;
  readonly #stored: StoredParts;
  readonly #startedAt = Date.now();
  readonly #jobs: JobDone[] = [];
  /** Lines that the policies have already said. */
  readonly #notes = new Set<string>();
  #submittedAt = 0;
  /** From then on the run directory is worth keeping. */
  isSubmitted = false;

  constructor(query: {
    readonly options: YarnOptions;
    readonly access: ClusterAccess;
    readonly client: HadoopClient;
    readonly jar: string;
    readonly directory: RunDirectory;
  }) {
    this.#options = query.options;
    this.#access = query.access;
    this.#client = query.client;
    this.#jar = query.jar;
    this.#directory = query.directory;
    this.#staging = new Staging(query.access, query.directory.id);
    this.#stored = new StoredParts(query.access.root.fileSystem);
  }

  async toItsEnd(): Promise<RunResult> {
    const plan = await this.#plan();
    const { hdfs } = this.#access;
    const { overwrite = false } = this.#options;
    const output = new HdfsOutput(hdfs, plan.output, { overwrite });
    const splits = [...plan.inputs.values()].flatMap((input) => input.splits);
    const files = splits.map(({ file }) => this.#staging.pathOf(file));
    await output.check(files, plan.inputPaths);
    try {
      const outcome = await this.#perform(plan);
      if (outcome === "succeeded") await this.#commit(plan, output);
      const responseMs = this.#now - this.#submittedAt;
      const { discipline } = this.#options;
      const [directory, access] = [this.#directory, this.#access];
      const [jobs, stored, startedAt] = [this.#jobs, this.#stored, this.#startedAt];
      const facts = { plan, outcome, discipline, directory, access, jobs, stored, startedAt };
      return await sumUpYarn({ ...facts, responseMs });
    } finally {
      await this.#staging.tidy((line) => this.#warn(line));
    }
  }

  async #plan(): Promise<YarnPlan> {
    const looked = join(this.#directory.path, "looked-at");
    try {
      const prepared = this.#directory.preparedJob;
      return await planYarn(this.#access, this.#options, { prepared, looked });
    } finally {
      rmSync(looked, { recursive: true, force: true });
    }
  }

  /** Runs all jobs of the course. */
  async #perform(plan: YarnPlan): Promise<RunResult["outcome"]> {
    const { program, inputs, name } = plan;
    const { reduces, signal } = this.#options;
    await this.#staging.open();
    await sweepStaleRuns(this.#access, this.#staging.path, (line) => this.#warn(line));
    const shipped = await this.#ship(program).catch((error: unknown) => {
      if (signal?.aborted) return undefined;
      throw error;
    });
    if (shipped === undefined) return "killed";
    await this.#emitStart();
    const course = new ProgramCourse({ program, name, inputs, reduces });
    for (let job = course.job(); job !== undefined; job = course.job()) {
      const from = this.#jobs.length;
      for (const each of mapReduceJobs(job, program.outputs)) {
        if (signal?.aborted) return "killed";
        const { outcome } = await this.#runOne(plan, each, shipped);
        if (outcome !== "succeeded") return outcome;
      }
      const done = this.#jobs.slice(from).flatMap((each) => each.done);
      course.ended({ counters: countersOf(done), datasets: this.#stored.takeDatasets() });
    }
    return "succeeded";
  }

  async #ship(of: Program): Promise<Shipped> {
    const { jobFile, outputChange, nodePath, signal } = this.#options;
    const policies = await this.#shipPolicies();
    const into = join(this.#directory.preparedJob, "shipment");
    mkdirSync(into, { recursive: true });
    const inputs = Array.from(readsOf(of).values());
    const needs = [...new Set(inputs.flatMap(({ format }) => formatOf(format).packages))];
    const { program, archive } = await shipJob({ file: jobFile, into, outputChange, needs });
    const shipment = await this.#staging.upload("broomwagon.tar.gz", archive);
    if (nodePath !== undefined) return { program, shipment, policies, node: nodePath, files: [] };
    const files = [{ uri: await shipNode(this.#access, signal), name: "node" }];
    return { program, shipment, policies, node: "./node", files };
  }

  /** Returns the URI of the user's policies, if the discipline has any. */
  async #shipPolicies(): Promise<string | undefined> {
    const { files = [] } = this.#discipline;
    if (files.length === 0) return undefined;
    const into = join(this.#directory.policies, "shipment");
    return this.#staging.upload("policies.tar.gz", await shipPolicies({ files, into }));
  }

  get #discipline(): Discipline {
    const { discipline, settings, registry } = this.#options;
    return parseDiscipline(discipline, settings, registry);
  }

  async #emitStart(): Promise<void> {
    const nodes = (await this.#access.rest.nodes()).filter(({ state }) => state === "RUNNING");
    const { id, path: runDirectory, journal } = this.#directory;
    const names = nodes.map(({ host }) => host).sort();
    this.#emit({ kind: "run-started", id, runDirectory, journal, nodes: names });
    for (const line of this.#warnings()) {
      this.#emit({ kind: "log", node: "policies", stream: "stderr", line });
    }
  }

  /** Warnings about options without effect, in the words that the policies will use in each job. */
  #warnings(): readonly string[] {
    const { properties } = this.#options;
    const keys = properties.map((property) => parted(property)[0]);
    const own = keys.flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
    return [...unknownSettings(own), ...idleSeats(this.#discipline)];
  }

  async #runOne(plan: YarnPlan, job: MapReduceJob, shipped: Shipped): Promise<JobDone["end"]> {
    const number = this.#jobs.length + 1;
    const files = this.#filesOf(plan, job, shipped);
    const names = new TaskNames(job, files.lines);
    const inputBytes = files.lines.reduce((sum, { line }) => sum + line.bytes, 0);
    if (!this.isSubmitted) this.#submittedAt = this.#now;
    this.isSubmitted = true;
    this.#emit({ kind: "job-submitted", job: job.name, phases: names.phases, inputBytes });
    const { signal, whenAborted, onJournal } = this.#options;
    const { path: directory } = this.#directory;
    const journals = onJournal && new JournalCopies(directory, onJournal);
    const end = await runHadoopJob({
      access: this.#access,
      client: this.#client,
      names,
      staging: this.#staging,
      emit: (event) => this.#emit(event),
      signal,
      whenAborted,
      journals,
      job: await this.#streamingJob(plan, { job, files, names, shipped, number }),
    });
    const lost = await this.#keepJournal(number);
    journals?.remove();
    const { outcome } = end;
    const out = `${this.#staging.path}/job-${number}/out`;
    const done = outcome === "succeeded" ? await readResults(this.#access, out) : [];
    this.#jobs.push({ job, names, end, done, lost });
    this.#stored.add(job, done, out);
    const why = { rule: `application-${outcome}`, numbers: {} };
    this.#emit({ kind: "job-ended", job: job.name, outcome, why });
    return end;
  }

  #filesOf({ params, onBadRecord, hosts }: YarnPlan, job: MapReduceJob, shipped: Shipped) {
    const { compress = false, properties } = this.#options;
    const { conf } = this.#access;
    const given = new Map(properties.map(parted));
    const memoryOf = (kind: "map" | "reduce"): number =>
      containerMeans(memoryMb(conf, kind, given)).memoryBytes;
    const memory = { map: memoryOf("map"), reduce: memoryOf("reduce") };
    const { program } = shipped;
    const { runs } = this.#stored;
    return jobFiles(job, { program, params, onBadRecord, compress, memory, hosts, runs });
  }

  async #streamingJob(
    { program }: YarnPlan,
    query: {
      job: MapReduceJob;
      files: JobFiles;
      names: TaskNames;
      shipped: Shipped;
      number: number;
    },
  ): Promise<StreamingJob> {
    const { job, files, names, shipped, number } = query;
    const { discipline, settings, properties } = this.#options;
    const staging = this.#staging;
    const lines = files.lines.map(({ line }) => `${JSON.stringify(line)}\n`).join("");
    return {
      conf: this.#access.conf,
      name: job.name,
      tag: tagOf(this.#directory.id, number),
      reduces: job.reduces?.tasks.length ?? 0,
      pipeline: job.reduces?.program.pipeline ?? true,
      discipline,
      settings,
      speculate: speculatesIn(program, job),
      node: shipped.node,
      jar: this.#jar,
      tasks: await staging.put(`job-${number}/tasks.ndjson`, lines),
      output: staging.uri(`job-${number}/out`),
      journal: staging.uri(`job-${number}/journal.ndjson`),
      jobFile: await staging.put(`job-${number}/job.json`, JSON.stringify(files.job)),
      names: await staging.put(`job-${number}/names.json`, JSON.stringify(names.plan)),
      shipment: shipped.shipment,
      policies: shipped.policies,
      files: [...shipped.files, ...files.tables],
      properties,
    };
  }

  /**
   * Keeps the job's journals: the first job's under the requested name, those of later jobs
   * numbered. After a restart the last ApplicationMaster's journal has the name, and an earlier
   * one's adds its master's number. Returns the lost outputs in the journals, in the order of time.
   */
  async #keepJournal(number: number): Promise<readonly LostOutput[]> {
    const { hdfs } = this.#access;
    const entries = await hdfs.list(`${this.#staging.path}/job-${number}`);
    const journals = journalsAmong(entries.map(({ path }) => path));
    const { journal } = this.#directory;
    const to = number === 1 ? journal : journal.replace(/\.ndjson$/, `-${number}.ndjson`);
    const lost: LostOutput[] = [];
    for (const { path, master } of journals) {
      const isLast = master === journals.at(-1)?.master;
      const kept = isLast ? to : `${to}.${master}`;
      await hdfs.fetch(path, kept);
      lost.push(...(await readLostOutputs(kept)));
    }
    return lost;
  }

  /** Moves all parts to their places below one directory, which becomes the output. */
  async #commit({ program: { outputs } }: YarnPlan, output: HdfsOutput): Promise<void> {
    const { hdfs } = this.#access;
    const accepted = `${this.#staging.path}/accepted`;
    await hdfs.makeDirectory(accepted);
    for (const { name } of outputs.length > 1 ? outputs : []) {
      await hdfs.makeDirectory(`${accepted}/${name}`);
    }
    for (const { path, name } of this.#stored.outputsIn(accepted, outputs)) {
      if (await hdfs.rename(path, name)) continue;
      throw new InputError("no-cluster", path, `expected HDFS to rename it to ${name}`);
    }
    await output.commit(accepted, { run: this.#directory.id, warn: (line) => this.#warn(line) });
  }

  get #now(): number {
    return Date.now() - this.#startedAt;
  }

  #warn(line: string): void {
    this.#emit({ kind: "log", node: "client", stream: "stderr", line });
  }

  /** Emits each line of the policies once, though every job repeats it. */
  #emit(event: Timeless<RunEvent>): void {
    if (event.kind === "log" && event.node === "policies") {
      if (this.#notes.has(event.line)) return;
      this.#notes.add(event.line);
    }
    this.#options.onEvent({ ...event, at: this.#now });
  }
}

/** The journal of one of a job's ApplicationMasters. */
interface StoredJournal {
  readonly path: string;
  /** The number of the master, from 1. */
  readonly master: number;
}

/** The requested name contains the job's; a later master appends its number. */
export function journalsAmong(paths: readonly string[]): readonly StoredJournal[] {
  const found = paths.flatMap((path): readonly StoredJournal[] => {
    const [name, master = "1"] = /\/journal-job_\d+_\d+\.ndjson(?:\.(\d+))?$/.exec(path) ?? [];
    return name === undefined ? [] : [{ path, master: Number(master) }];
  });
  return found.sort((a, b) => a.master - b.master);
}
