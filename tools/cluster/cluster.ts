import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../src/base/input-error.ts";
import { liveDataNodes, nodeStates, pages } from "./answers.ts";
import {
  allDaemons,
  type Daemon,
  environment,
  findDaemon,
  masterDaemons,
  nodeManager,
} from "./daemons.ts";
import {
  type ClusterOptions,
  type ClusterPlan,
  clusterDirectory,
  findPlan,
  master,
  places,
  planCluster,
  type Worker,
  workersOf,
} from "./plan.ts";
import { endAll, processesBelow, type StandingProcess, signal } from "./processes.ts";
import { setSlowNodes, slowNodes } from "./slow/slow-nodes.ts";
import { prepare, type StartOptions, start, startAgain, startMasterAgain } from "./start.ts";

export interface ClusterStatus {
  /** Whether all parts of the cluster exist and work. */
  readonly isWhole: boolean;
  readonly liveDataNodes: number | undefined;
  readonly daemons: readonly { readonly name: string; readonly pid: number | undefined }[];
  readonly nodes: readonly NodeStatus[];
}

export interface NodeStatus extends Worker {
  /** The state in the ResourceManager, such as `RUNNING` or `LOST`. */
  readonly state: string | undefined;
  /** 1 means not slowed. */
  readonly slowed: number;
  readonly containers: readonly string[];
}

/** A process of a container: its JVM, a child of the JVM, or a shell around them. */
export interface ContainerProcess {
  readonly pid: number;
  readonly container: string;
  readonly command: readonly string[];
}

/** Starts a cluster and waits until it is usable. A failed start leaves nothing behind. */
export async function startCluster(
  options: ClusterOptions,
  { tell = () => {}, signal = new AbortController().signal }: Partial<StartOptions> = {},
): Promise<Cluster> {
  const plan = planCluster(options);
  await prepare(plan, { tell, signal });
  const cluster = new Cluster(plan);
  try {
    await start(plan, { tell, signal });
    return cluster;
  } catch (error) {
    await cluster.down();
    throw error;
  }
}

/** The cluster in the directory, or what is left of it; undefined if there is none. */
export function findCluster(directory?: string): Cluster | undefined {
  const plan = findPlan(clusterDirectory(directory));
  return plan === undefined ? undefined : new Cluster(plan);
}

/** A real cluster on this machine: each daemon in its own JVM, each node with a name and rack. */
export class Cluster {
  readonly #plan: ClusterPlan;

  constructor(plan: ClusterPlan) {
    this.#plan = plan;
  }

  get directory(): string {
    return this.#plan.directory;
  }

  get workers(): readonly Worker[] {
    return workersOf(this.#plan);
  }

  /** The places of configuration, jars and logs on disk. */
  get places(): ReturnType<typeof places> {
    return places(this.#plan.directory);
  }

  /** The environment that the cluster's clients need. */
  get environment(): Readonly<Record<string, string>> {
    return environment(this.#plan);
  }

  get pages(): ReturnType<typeof pages> {
    return pages(this.#plan);
  }

  async status(): Promise<ClusterStatus> {
    const [states, live] = await Promise.all([nodeStates(this.#plan), liveDataNodes(this.#plan)]);
    const daemons = allDaemons(this.#plan).map((daemon) => ({
      name: daemon.name,
      pid: findDaemon(this.#plan, daemon),
    }));
    const factors = slowNodes(this.#plan);
    const nodes = this.workers.map((worker) => ({
      ...worker,
      state: states.get(worker.name),
      slowed: factors.get(worker.name) ?? 1,
      containers: [...new Set(this.containers(worker.name).map(({ container }) => container))],
    }));
    const isWhole =
      live === this.#plan.workers &&
      daemons.every(({ pid }) => pid !== undefined) &&
      nodes.every(({ state }) => state === "RUNNING");
    return { isWhole, liveDataNodes: live, daemons, nodes };
  }

  /** The processes of the containers on the node. */
  containers(node: string): readonly ContainerProcess[] {
    return this.#standing(node).flatMap(({ pid, directory, command }) => {
      const container = /\/(container_\w+)/.exec(directory)?.[1];
      return container === undefined ? [] : [{ pid, container, command }];
    });
  }

  /**
   * From now on the node's present and future containers get `1 / factor` of the CPU time that they
   * would take; 1 ends that.
   */
  async slow(node: string, factor: number): Promise<void> {
    this.#worker(node);
    await setSlowNodes(this.#plan, new Map([...slowNodes(this.#plan), [node, factor]]));
  }

  /**
   * Kills a machine: a worker's NodeManager and all processes of its containers, or the master's
   * daemons; or a single daemon of the master, by its name.
   */
  async kill(node: string): Promise<void> {
    const ofMaster = this.#masterDaemons(node);
    const daemons = ofMaster ?? [nodeManager(this.#plan, this.#worker(node))];
    const standing = (): readonly StandingProcess[] => [
      ...daemons.flatMap(({ name }) => processesBelow(join(this.places.daemons, name))),
      ...(ofMaster === undefined ? this.#standing(node) : []),
    ];
    await endAll(standing);
  }

  /** Signals one process of a container or a daemon. */
  killProcess(pid: number, name: NodeJS.Signals = "SIGKILL"): void {
    signal(pid, name);
  }

  /** Kills as `kill` does, and starts the daemons again. */
  async restart(node: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
    await this.kill(node);
    const ofMaster = this.#masterDaemons(node);
    if (ofMaster === undefined) await startAgain(this.#plan, this.#worker(node), signal);
    else await startMasterAgain(this.#plan, ofMaster, signal);
  }

  /** Ends all processes of the cluster and removes its directory. */
  async down(): Promise<void> {
    const { daemons, nodes } = this.places;
    // Processes that start others go first; a stopped process cannot react to a request to end.
    const slowing = (): readonly StandingProcess[] =>
      processesBelow(daemons).filter(({ directory }) => directory.endsWith("/slow-nodes"));
    await endAll(slowing);
    await endAll(() => [...processesBelow(daemons), ...processesBelow(nodes)]);
    if (existsSync(this.directory)) rmSync(this.directory, { recursive: true });
  }

  #standing(node: string): readonly StandingProcess[] {
    return processesBelow(join(this.places.nodes, node, "local"));
  }

  /** Undefined if the name is neither the master's nor one of its daemons'. */
  #masterDaemons(name: string): readonly Daemon[] | undefined {
    const all = masterDaemons(this.#plan);
    if (name === master(this.#plan).name) return all;
    const found = all.filter((daemon) => daemon.name === name);
    return found.length === 0 ? undefined : found;
  }

  #worker(name: string): Worker {
    const found = this.workers.find((worker) => worker.name === name);
    if (found === undefined) {
      const ofMaster = masterDaemons(this.#plan).map((daemon) => daemon.name);
      const names = [...this.workers.map((worker) => worker.name), master(this.#plan).name];
      throw new InputError(
        "bad-flag",
        "NODE",
        `${name}: one of ${[...names, ...ofMaster].join(", ")}`,
      );
    }
    return found;
  }
}
