import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClusterAccess, reachCluster } from "../../src/hosts/yarn/client/cluster-access.ts";
import type { AttemptRow } from "../../src/hosts/yarn/client/yarn-rest.ts";
import type { Cluster } from "../../tools/cluster/cluster.ts";
import { type HadoopJob, jobOf } from "../../tools/cluster/hadoop-job.ts";
import { SlowJobs } from "./slow-job.ts";

/** The values of `mapreduce.jobhistory.jhist.format`. */
const FORMATS = ["json", "binary"] as const;
const MAPS = 10;
const CPU_MS = 2_000;
const FACTOR = 8;

/**
 * Runs two jobs under Hadoop's own speculator on a cluster with a slowed node. As soon as a copy
 * has won, the node of another running copy is slowed instead, so that each history has copies that
 * won and copies that lost.
 */
export async function makeHistories(
  cluster: Cluster,
  directory: string,
  tell: (line: string) => void,
): Promise<void> {
  const environment = { ...process.env, ...cluster.environment };
  const access = await reachCluster(cluster.places.configuration, environment);
  const jobs = await SlowJobs.prepare(cluster, access, MAPS);
  mkdirSync(directory, { recursive: true });
  for (const format of FORMATS) {
    const properties = { "mapreduce.jobhistory.jhist.format": format };
    const job = jobs.submit({ maps: MAPS, cpuMs: CPU_MS, properties, flags: [] });
    const slowed = await jobs.slowANode(job, FACTOR);
    const turned = turnWhenACopyHasWon(cluster, access, { job, slowed });
    const history = await jobs.history(job);
    await turned;
    for (const { name } of cluster.workers) await cluster.slow(name, 1);
    const path = join(directory, `${format}.jhist`);
    writeFileSync(path, history);
    const states = (await copiesOf(access, jobOf(await job.application))).map(({ state }) => state);
    tell(`${path}: ${history.length} bytes; copies: ${states.join(", ")}`);
  }
}

async function turnWhenACopyHasWon(
  cluster: Cluster,
  access: ClusterAccess,
  { job, slowed }: { readonly job: HadoopJob; readonly slowed: string },
): Promise<void> {
  let isOver = false;
  job.ended.finally(() => {
    isOver = true;
  });
  const name = jobOf(await job.application);
  while (!isOver) {
    const copies = await copiesOf(access, name);
    const running = copies.find(({ state }) => state === "RUNNING");
    if (running !== undefined && copies.some(({ state }) => state === "SUCCEEDED")) {
      await cluster.slow(slowed, 1);
      return cluster.slow(running.host, FACTOR);
    }
    await sleep(300);
  }
}

/** No attempt fails in these jobs, so every attempt but a task's first is a copy. */
async function copiesOf({ rest }: ClusterAccess, job: string): Promise<readonly AttemptRow[]> {
  const tasks = (await rest.tasks(job)) ?? [];
  const attempts = await Promise.all(tasks.map(({ task }) => rest.attempts(job, task)));
  return attempts.flatMap((of) => of ?? []).filter(({ attempt }) => !attempt.endsWith("_0"));
}
