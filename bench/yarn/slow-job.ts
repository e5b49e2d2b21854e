import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterAccess } from "../../src/hosts/yarn/client/cluster-access.ts";
import type { Cluster } from "../../tools/cluster/cluster.ts";
import { HadoopJob, jobOf } from "../../tools/cluster/hadoop-job.ts";
import { seen } from "../../tools/cluster/seen.ts";

/** Bytes of a map's input: one block, much larger than a pipe's buffers. */
const SPLIT_BYTES = 4 << 20;

/**
 * A mapper whose CPU time is proportional to the input read, so that its reading shows its
 * progress.
 */
const MAPPER = `
const [, , cpuMs, bytes] = process.argv.map(Number);
const usedMs = () => process.cpuUsage().user / 1000;
const begin = usedMs();
let read = 0;
let sum = 0;
for await (const chunk of process.stdin) {
  read += chunk.length;
  while (usedMs() - begin < (cpuMs * read) / bytes) {
    for (let i = 0; i < 1_000_000; i++) sum = (sum * 31 + i) | 0;
  }
}
process.stdout.write("read\\t" + read + "\\t" + sum + "\\n");
`;

/** Maps of equal work, then one reduce that adds almost none. */
export interface SlowJobOptions {
  readonly maps: number;
  /** CPU time of each map. */
  readonly cpuMs: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
}

/** Half of a node's memory: two maps run on a node. */
const CONTAINER_MB = 768;

/** Runs jobs of one kind on one cluster; their input is written once. */
export class SlowJobs {
  readonly #cluster: Cluster;
  readonly #access: ClusterAccess;
  #runs = 0;

  private constructor(cluster: Cluster, access: ClusterAccess) {
    this.#cluster = cluster;
    this.#access = access;
  }

  static async prepare(cluster: Cluster, access: ClusterAccess, maps: number): Promise<SlowJobs> {
    const line = `${"x".repeat(99)}\n`;
    const text = Buffer.from(line.repeat(Math.floor(SPLIT_BYTES / line.length)));
    for (let map = 0; map < maps; map++) {
      await access.hdfs.write(`${INPUT}/${maps}/${map}`, () => text);
    }
    return new SlowJobs(cluster, access);
  }

  submit({ maps, cpuMs, properties, flags }: SlowJobOptions): HadoopJob {
    const place = mkdtempSync(join(tmpdir(), "broomwagon-slow-job-"));
    writeFileSync(join(place, "mapper.mjs"), MAPPER);
    const settings = {
      "mapreduce.job.name": `slow-job-${++this.#runs}`,
      "mapreduce.job.reduces": "1",
      // Reduces wait until they can be of use, since they would take containers from maps.
      "mapreduce.job.reduce.slowstart.completedmaps": "1.0",
      "mapreduce.map.memory.mb": String(CONTAINER_MB),
      "mapreduce.task.progress-report.interval": "1000",
      ...properties,
    };
    const job = new HadoopJob(this.#cluster, "org.apache.hadoop.streaming.HadoopStreaming", [
      ...Object.entries(settings).flatMap(([name, value]) => ["-D", `${name}=${value}`]),
      ...["-files", join(place, "mapper.mjs")],
      ...flags,
      ...["-input", `${INPUT}/${maps}`],
      ...["-output", `/bench/yarn/out/${Date.now()}`],
      ...["-mapper", `${process.execPath} mapper.mjs ${cpuMs} ${SPLIT_BYTES}`],
      ...["-reducer", "cat"],
    ]);
    job.ended.finally(() => rmSync(place, { recursive: true }));
    return job;
  }

  /**
   * Slows a node as soon as the ApplicationMaster runs on another one: a slowed master would be
   * another experiment, or be taken for dead. The other nodes run at full speed.
   */
  async slowANode(job: HadoopJob, factor: number): Promise<string> {
    const id = await job.application;
    for (const { name } of this.#cluster.workers) await this.#cluster.slow(name, 1);
    const master = await seen("the log page of the ApplicationMaster", async () => {
      const { masterLogs } = await this.#access.rest.application(id);
      return /^http:\/\/([^:/]+)/.exec(masterLogs)?.[1];
    });
    const node = this.#cluster.workers.map(({ name }) => name).find((name) => name !== master);
    if (node === undefined) throw new Error("expected a cluster of two nodes or more");
    await this.#cluster.slow(node, factor);
    return node;
  }

  /** The history of a job that has ended: the bytes of its .jhist file. */
  async history(job: HadoopJob): Promise<Buffer> {
    const { code, said } = await job.ended;
    if (code !== 0) throw new Error(`Hadoop's client ended with ${code}:\n${said.slice(-4_000)}`);
    const name = jobOf(await job.application);
    return this.#access.hdfs.read(
      await seen("the job's history", () => this.#findHistory(HISTORY, name)),
    );
  }

  /**
   * The path at which the ApplicationMaster put the history, or to which the history server moved
   * it.
   */
  async #findHistory(directory: string, job: string): Promise<string | undefined> {
    for (const { isDirectory, path } of await this.#access.hdfs.list(directory)) {
      if (!isDirectory && path.includes(`/${job}-`) && path.endsWith(".jhist")) return path;
      const below = isDirectory ? await this.#findHistory(path, job) : undefined;
      if (below !== undefined) return below;
    }
    return undefined;
  }
}

const INPUT = "/bench/yarn/in";
const HISTORY = "/tmp/hadoop-yarn/staging/history";
