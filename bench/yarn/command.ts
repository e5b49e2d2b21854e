import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { reachCluster } from "../../src/hosts/yarn/client/cluster-access.ts";
import { type Cluster, findCluster, startCluster } from "../../tools/cluster/cluster.ts";
import { BUILD, PLUGIN_JAR } from "../../tools/cluster/repository.ts";
import { makeHistories } from "./histories.ts";
import { type Figures, figuresOf } from "./history.ts";
import { POLICIES, type Speculating } from "./policies.ts";
import { HEADINGS, rowOf, rowText } from "./row.ts";
import { SlowJobs } from "./slow-job.ts";

export const YARN_USAGE: string = `npm run bench -- yarn [--policy NAME,...] [--runs N] \
[--maps N] [--cpu MS] [--factor F] [--cluster DIR] [--keep DIR] [-o table|json]
       npm run bench -- yarn --histories DIR [--cluster DIR]
       policies: ${POLICIES.map(({ name }) => name).join(", ")}`;

interface Flags {
  readonly policies: readonly Speculating[];
  readonly runs: number;
  readonly maps: number;
  readonly cpuMs: number;
  readonly factor: number;
  readonly cluster: string | undefined;
  readonly histories: string | undefined;
  /** Where the history of each policy's last run is kept. */
  readonly keep: string | undefined;
  readonly format: "table" | "json";
}

/** The address block of the benchmark's own cluster, distinct from those that users start. */
const ADDRESS = "127.0.60";

/**
 * Runs one job on a real cluster with a slowed node, under each policy in turn; a row per policy.
 * Undefined if the arguments are no command.
 */
export async function yarnBench(args: readonly string[]): Promise<boolean | undefined> {
  const flags = flagsFrom(args);
  if (flags === undefined) return undefined;
  const tell = (line: string): void => console.error(line);
  if (flags.policies.some(({ flags }) => flags.includes(PLUGIN_JAR)) && !existsSync(PLUGIN_JAR)) {
    tell(`there is no ${PLUGIN_JAR}: npm run build:yarn makes it`);
    return false;
  }
  const { cluster, leave } = await enter(flags.cluster, tell);
  try {
    const { histories } = flags;
    const work =
      histories === undefined
        ? compare(cluster, flags, tell)
        : makeHistories(cluster, histories, tell);
    await Promise.race([work, interruption()]);
  } finally {
    await leave();
  }
  return true;
}

/** Rejects when the user interrupts, so that no cluster is left behind. */
const interruption = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const name of ["SIGINT", "SIGTERM"]) {
      process.once(name, () => reject(new Error(`interrupted by ${name}`)));
    }
  });

/** The named cluster, or a new one that is taken down afterwards. */
async function enter(
  directory: string | undefined,
  tell: (line: string) => void,
): Promise<{ readonly cluster: Cluster; readonly leave: () => Promise<void> }> {
  if (directory !== undefined) {
    const cluster = findCluster(directory);
    if (cluster === undefined) throw new Error(`there is no cluster in ${directory}`);
    const leave = async (): Promise<void> => {
      for (const { name } of cluster.workers) await cluster.slow(name, 1);
    };
    return { cluster, leave };
  }
  const cluster = await startCluster(
    { directory: join(BUILD, "bench-cluster"), address: ADDRESS },
    { tell },
  );
  return { cluster, leave: () => cluster.down() };
}

async function compare(
  cluster: Cluster,
  { policies, runs, maps, cpuMs, factor, keep, format }: Flags,
  tell: (line: string) => void,
): Promise<void> {
  const environment = { ...process.env, ...cluster.environment };
  const access = await reachCluster(cluster.places.configuration, environment);
  const jobs = await SlowJobs.prepare(cluster, access, maps);
  const seen = new Map<string, Figures[]>(policies.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run++) {
    // Each policy is first in turn.
    const first = run % policies.length;
    const inTurn = [...policies.slice(first), ...policies.slice(0, first)];
    for (const { name, properties, flags } of inTurn) {
      const json = { ...properties, "mapreduce.jobhistory.jhist.format": "json" };
      const job = jobs.submit({ maps, cpuMs, properties: json, flags });
      await jobs.slowANode(job, factor);
      const history = await jobs.history(job);
      if (keep !== undefined) keepHistory(keep, name, history);
      const figures = figuresOf(history.toString());
      seen.get(name)?.push(figures);
      tell(`run ${run + 1} of ${runs}: ${name}: ${JSON.stringify(figures)}`);
    }
  }
  if (format === "table") console.log(HEADINGS);
  for (const [policy, figures] of seen) {
    const row = rowOf(policy, figures);
    console.log(format === "json" ? JSON.stringify(row) : rowText(row));
  }
}

function keepHistory(directory: string, policy: string, history: Buffer): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${policy}.jhist.gz`), gzipSync(history, { level: 9 }));
}

function flagsFrom(args: readonly string[]): Flags | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      policy: { type: "string" },
      runs: { type: "string", default: "5" },
      maps: { type: "string", default: "16" },
      cpu: { type: "string", default: "2500" },
      factor: { type: "string", default: "6" },
      cluster: { type: "string" },
      histories: { type: "string" },
      keep: { type: "string" },
      format: { type: "string", short: "o", default: "table" },
    },
  });
  const names = values.policy?.split(",") ?? POLICIES.map(({ name }) => name);
  const policies = POLICIES.filter(({ name }) => names.includes(name));
  const [runs = 0, maps = 0, cpuMs = 0, factor = 0] = [
    values.runs,
    values.maps,
    values.cpu,
    values.factor,
  ].map(Number);
  const { cluster, histories, keep, format } = values;
  const areCounts = [runs, maps].every((count) => Number.isInteger(count) && count > 0);
  if (policies.length !== names.length || !areCounts || !(cpuMs > 0) || !(factor >= 1)) {
    return undefined;
  }
  if (format !== "table" && format !== "json") return undefined;
  return { policies, runs, maps, cpuMs, factor, cluster, histories, keep, format };
}
