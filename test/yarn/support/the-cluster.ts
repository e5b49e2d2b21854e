import { inject } from "vitest";
import { InputError } from "../../../src/base/input-error.ts";
import { type ClusterAccess, reachCluster } from "../../../src/hosts/yarn/client/cluster-access.ts";
import { type Cluster, findCluster, startCluster } from "../../../tools/cluster/cluster.ts";

/** The cluster for all tests, restored to its initial state with all of its workers. */
export async function theCluster(workers?: number): Promise<Cluster> {
  const directory = inject("clusterDirectory");
  const found = findCluster(directory);
  if (found === undefined) return startSomewhere(directory, workers);
  await mend(found);
  return found;
}

/** The cluster's services for clients: HDFS and REST. */
export const accessTo = (cluster: Cluster): Promise<ClusterAccess> =>
  reachCluster(cluster.places.configuration, { ...process.env, ...cluster.environment });

/** Other clusters may exist on this machine. */
async function startSomewhere(directory: string, workers?: number): Promise<Cluster> {
  for (let block = 20; ; block++) {
    try {
      return await startCluster({ directory, address: `127.0.${block}`, workers });
    } catch (error) {
      const isTaken = error instanceof InputError && error.place === "--address";
      if (!isTaken || block === 40) throw error;
    }
  }
}

/** A failed test leaves jobs that run for ever, and slowed or dead nodes. */
export async function mend(cluster: Cluster): Promise<void> {
  await killApplications(cluster.pages.resourceManager);
  const { nodes } = await cluster.status();
  for (const { name, slowed, state } of nodes) {
    if (slowed !== 1) await cluster.slow(name, 1);
    if (state !== "RUNNING") await cluster.restart(name);
  }
}

async function killApplications(manager: string): Promise<void> {
  const apps = `${manager}/ws/v1/cluster/apps`;
  const answer = await fetch(`${apps}?states=NEW,NEW_SAVING,SUBMITTED,ACCEPTED,RUNNING`);
  for (const [, id] of (await answer.text()).matchAll(/"id":"(application_\w+)"/g)) {
    await fetch(`${apps}/${id}/state`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ state: "KILLED" }),
    });
  }
}

/**
 * After the given number of tasks has containers: the allowed node with most of them, if any,
 * except the ApplicationMaster's.
 */
export function freeNode(
  cluster: Cluster,
  tasks: number,
  mayBe: (node: string) => boolean = () => true,
): string | undefined {
  const nodes = cluster.workers.map(({ name }) => ({
    name,
    containers: [...new Set(cluster.containers(name).map(({ container }) => container))],
  }));
  const running = nodes.flatMap(({ containers }) => containers);
  if (!running.some(isMaster) || running.length <= tasks) return undefined;
  const free = nodes.filter(
    ({ name, containers }) => containers.length > 0 && !containers.some(isMaster) && mayBe(name),
  );
  return free.sort((a, b) => b.containers.length - a.containers.length)[0]?.name;
}

export const isMaster = (container: string): boolean => container.endsWith("_000001");
