import { type ClusterPlan, master, type Worker } from "./plan.ts";

/** The addresses of the cluster's pages; the REST interfaces are below them. */
export const pages = (plan: ClusterPlan) => ({
  resourceManager: `http://${master(plan).address}:8088`,
  nameNode: `http://${master(plan).address}:9870`,
  historyServer: `http://${master(plan).address}:19888`,
});

/** Whether the ResourceManager takes jobs; it lists nodes a moment before. */
export async function isActive(plan: ClusterPlan): Promise<boolean> {
  const answer = await ask(`${pages(plan).resourceManager}/ws/v1/cluster/info`);
  return field(field(answer, "clusterInfo"), "haState") === "ACTIVE";
}

/** The state of each node by name, from the ResourceManager; empty if it does not answer. */
export async function nodeStates(plan: ClusterPlan): Promise<ReadonlyMap<string, string>> {
  const states = "NEW,RUNNING,UNHEALTHY,LOST,REBOOTED,SHUTDOWN";
  const answer = await ask(`${pages(plan).resourceManager}/ws/v1/cluster/nodes?states=${states}`);
  const found = new Map<string, string>();
  const nodes = field(field(answer, "nodes"), "node");
  for (const node of Array.isArray(nodes) ? nodes : []) {
    const name = String(field(node, "nodeHostName"));
    const state = String(field(node, "state"));
    // A node that came back is listed in its old and in its new state.
    if (found.get(name) !== "RUNNING") found.set(name, state);
  }
  return found;
}

/** Undefined if the NameNode does not answer. */
export async function liveDataNodes(plan: ClusterPlan): Promise<number | undefined> {
  const query = "qry=Hadoop:service=NameNode,name=FSNamesystemState";
  const answer = await ask(`${pages(plan).nameNode}/jmx?${query}`);
  const beans = field(answer, "beans");
  const count = field(Array.isArray(beans) ? beans[0] : undefined, "NumLiveDataNodes");
  return typeof count === "number" ? count : undefined;
}

export async function isHistoryServed(plan: ClusterPlan): Promise<boolean> {
  const answer = await ask(`${pages(plan).historyServer}/ws/v1/history/info`);
  return field(answer, "historyInfo") !== undefined;
}

/** Whether the NodeManager answers, which it does a moment before YARN uses it. */
export async function isNodeServed({ address }: Worker): Promise<boolean> {
  const answer = await ask(`http://${address}:8042/ws/v1/node/info`);
  return field(answer, "nodeInfo") !== undefined;
}

const PATIENCE_MS = 5_000;

/** Undefined without an answer, or with one of another form. */
async function ask(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
