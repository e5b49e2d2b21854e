import { freemem, totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../../tools/cluster/cluster.ts";
import type { ClientEnd, HadoopJob } from "../../../tools/cluster/hadoop-job.ts";

/** Less than a test's limit, so that a failing test can say what it has waited for. */
const PATIENCE_S = 180;

/**
 * Awaits the job's end; fails after 180 s with the client's messages and the state of the cluster.
 */
export async function endOf(cluster: Cluster, job: HadoopJob): Promise<ClientEnd> {
  return inTime(cluster, job, "the job's end", job.ended);
}

/** The name of the job's application, with the same patience. */
export async function applicationOf(cluster: Cluster, job: HadoopJob): Promise<string> {
  return inTime(cluster, job, "the job's application", job.application);
}

async function inTime<T>(cluster: Cluster, job: HadoopJob, what: string, of: Promise<T>) {
  const stop = new AbortController();
  const late = sleep(PATIENCE_S * 1000, "late" as const, { signal: stop.signal });
  late.catch(() => {});
  const first = await Promise.race([of, late]);
  stop.abort();
  if (first !== "late") return of;
  const said = job.said.slice(-2_000);
  throw new Error(`${what}: not there in ${PATIENCE_S} s\n${await stateOf(cluster)}\n${said}`);
}

/** The cluster in a few lines, for the message of a test that fails. */
export async function stateOf(cluster: Cluster): Promise<string> {
  const { daemons, nodes, liveDataNodes } = await cluster.status();
  const apps = await textAt(`${cluster.pages.resourceManager}/ws/v1/cluster/apps`);
  const standing = [...apps.matchAll(/"id":"(application\w+)".*?"name":"(.*?)".*?"state":"(\w+)"/g)]
    .filter(([, , , state = ""]) => !/FINISHED|KILLED|FAILED/.test(state))
    .map(([, id, name, state]) => `${id} ${name} ${state}`);
  const metrics = await textAt(`${cluster.pages.resourceManager}/ws/v1/cluster/metrics`);
  const gone = daemons.filter(({ pid }) => pid === undefined).map(({ name }) => name);
  return [
    `free memory: ${Math.round(freemem() / 2 ** 20)} of ${Math.round(totalmem() / 2 ** 20)} MB`,
    `daemons that are gone: ${gone.join(" ") || "none"}; DataNodes: ${liveDataNodes}`,
    ...nodes.map(({ name, state, slowed, containers }) =>
      [name, state, `slowed ${slowed}`, ...containers].join(" "),
    ),
    ...standing,
    metrics,
  ].join("\n");
}

const textAt = async (url: string): Promise<string> => {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(5_000) })).text();
  } catch (error) {
    return String(error);
  }
};
