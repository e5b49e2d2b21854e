import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterAccess } from "../../../src/hosts/yarn/client/cluster-access.ts";
import type { Cluster } from "../../../tools/cluster/cluster.ts";
import { HadoopJob, jobOf } from "../../../tools/cluster/hadoop-job.ts";
import { PLUGIN_JAR } from "../../../tools/cluster/repository.ts";
import { avataarsOf, HISTORY_AS_JSON } from "./avataars.ts";

/**
 * A foreign mapper or reducer that counts its work: for all lines that it reads it computes for
 * some CPU time, however long that takes on a slowed node. With a gate, all maps but the first wait
 * until the gate's file exists.
 */
const WORKER = `
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [cpuMs, gate] = process.argv.slice(2);
const lines = readFileSync(0, "utf8").trimEnd().split("\\n");
const usedMs = () => process.cpuUsage().user / 1000;
let done = 0;
let sum = 0;
for (const line of lines) {
  while (gate && !line.includes("map 0 ") && !existsSync(gate)) await sleep(50);
  const end = usedMs() + cpuMs / lines.length;
  // Constant requests for the time would take twice as much system time again.
  while (usedMs() < end) for (let i = 0; i < 1_000_000; i++) sum = (sum * 31 + i) | 0;
  const before = Math.floor((1000 * done++) / lines.length);
  const more = Math.floor((1000 * done) / lines.length) - before;
  process.stderr.write("reporter:counter:Broomwagon,progressPermille," + more + "\\n");
  process.stdout.write(line.trimEnd().split("\\t").at(-1) + "\\n");
}
`;

/** The work of these tests' job, and its policies. */
export interface WorkOptions {
  readonly name: string;
  readonly maps: number;
  /** This number of reduces does the work, instead of the maps, which pass on their input. */
  readonly reduces?: number;
  /** CPU of each map, or of each reduce, a part of it for each line. */
  readonly cpuMs: number;
  readonly discipline: string;
  /** In the form of `--set`, such as `speculation.runtimeMsMin=5000`. */
  readonly set?: string;
  /** A file without which all maps but the first wait. */
  readonly gate?: string;
  /** Settings of Hadoop or of ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Hadoop's own ApplicationMaster, with our Speculator alone. */
  readonly stockMaster?: boolean;
}

const LINES = 20;

/** The lines that the job's output must have, in any order. */
export const expectedLines = ({ maps }: WorkOptions): readonly string[] =>
  Array.from({ length: maps }, (_, map) => map)
    .flatMap((map) => Array.from({ length: LINES }, (_, line) => `map ${map} line ${line}`))
    .sort();

/** A streaming job with our plug-in, submitted as any other job is, by flags. */
export class WorkJob {
  readonly job: HadoopJob;
  readonly #access: ClusterAccess;
  readonly #paths: { readonly output: string; readonly journal: string };

  private constructor(
    job: HadoopJob,
    access: ClusterAccess,
    paths: { readonly output: string; readonly journal: string },
  ) {
    this.job = job;
    this.#access = access;
    this.#paths = paths;
  }

  static async submit(
    cluster: Cluster,
    access: ClusterAccess,
    options: WorkOptions,
  ): Promise<WorkJob> {
    const base = `/tests/${options.name}`;
    await access.hdfs.remove(base);
    for (let map = 0; map < options.maps; map++) {
      const lines = Array.from({ length: LINES }, (_, line) => `map ${map} line ${line}\n`);
      await access.hdfs.write(`${base}/in/${map}.txt`, () => Buffer.from(lines.join("")));
    }
    const place = mkdtempSync(join(tmpdir(), "broomwagon-work-"));
    writeFileSync(join(place, "worker.mjs"), WORKER);
    const worker = `node worker.mjs ${options.cpuMs} ${options.gate ?? ""}`;
    const works =
      options.reduces === undefined ? ["-mapper", worker] : ["-mapper", "cat", "-reducer", worker];
    const paths = { output: `${base}/out`, journal: `${base}/journal.ndjson` };
    const job = new HadoopJob(cluster, "org.apache.hadoop.streaming.HadoopStreaming", [
      ...generic({ ...settingsOf(options), "broomwagon.journal": `hdfs://${paths.journal}` }),
      "-files",
      join(place, "worker.mjs"),
      "-libjars",
      PLUGIN_JAR,
      "-input",
      `${base}/in`,
      "-output",
      paths.output,
      ...works,
    ]);
    job.ended.finally(() => rmSync(place, { recursive: true }));
    return new WorkJob(job, access, paths);
  }

  /** All lines of the output, sorted. */
  async output(): Promise<readonly string[]> {
    const parts = await this.#access.hdfs.list(this.#paths.output);
    const texts = await Promise.all(
      parts
        .filter(({ path }) => path.includes("/part-"))
        .map(async ({ path }) => (await this.#access.hdfs.read(path)).toString()),
    );
    return texts
      .flatMap((text) => text.split("\n"))
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .sort();
  }

  /**
   * The journal's text for one of the job's masters, numbered from 1; exists once the master has
   * ended in order.
   */
  async journal(master = 1): Promise<string> {
    const first = journalOf(this.#paths.journal, await this.job.application);
    const path = master === 1 ? first : `${first}.${master}`;
    return (await this.#access.hdfs.read(path)).toString();
  }

  /** Hadoop's record of each attempt, after the job's end. */
  async avataars(): Promise<ReadonlyMap<string, string>> {
    return avataarsOf(this.#access, await this.job.application);
  }
}

/** The name that a journal gets where `broomwagon.journal` names a file. */
export const journalOf = (path: string, application: string): string =>
  path.replace(/\.ndjson$/, `-${jobOf(application)}.ndjson`);

const settingsOf = (options: WorkOptions): Readonly<Record<string, string>> => ({
  "mapreduce.job.name": options.name,
  "mapreduce.job.reduces": `${options.reduces ?? 0}`,
  "yarn.app.mapreduce.am.job.speculator.class": "broomwagon.yarn.BroomwagonSpeculator",
  ...(options.stockMaster !== true && {
    "yarn.app.mapreduce.am.command-opts": "-Xmx320m broomwagon.yarn.BroomwagonAppMaster",
  }),
  ...HISTORY_AS_JSON,
  "broomwagon.discipline": options.discipline,
  ...(options.set !== undefined && { "broomwagon.set": options.set }),
  ...options.settings,
});

const generic = (settings: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(settings).flatMap(([name, value]) => ["-D", `${name}=${value}`]);
