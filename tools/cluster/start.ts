import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { defined } from "../../src/base/assert.ts";
import { InputError } from "../../src/base/input-error.ts";
import { isActive, isHistoryServed, isNodeServed, liveDataNodes, nodeStates } from "./answers.ts";
import { classArchive, makeArchive, recordingFlags } from "./class-archive.ts";
import { writeConfiguration } from "./configuration.ts";
import {
  allDaemons,
  type Daemon,
  environment,
  findDaemon,
  firstDaemons,
  historyServer,
  javaCommand,
  type Launched,
  lastWords,
  nameNode,
  nodeManager,
  resourceManager,
  startDaemon,
} from "./daemons.ts";
import { hadoopJars, jarsDirectory } from "./jars.ts";
import { javaHome } from "./java.ts";
import { type ClusterPlan, findPlan, places, planFile, type Worker, workersOf } from "./plan.ts";

export interface StartOptions {
  readonly tell: (line: string) => void;
  /** Aborts when the caller no longer waits for the start. */
  readonly signal: AbortSignal;
}

/**
 * Checks everything that can fail before the cluster has a directory (Java, Maven, addresses), then
 * makes the directory.
 */
export async function prepare(plan: ClusterPlan, { tell }: StartOptions): Promise<void> {
  if (process.platform !== "linux") {
    throw new InputError("missing-file", "/proc", "a cluster on one machine needs Linux");
  }
  if (findPlan(plan.directory) !== undefined) {
    throw new InputError("bad-flag", "--dir", `${plan.directory}: a cluster is there already`);
  }
  javaHome();
  await hadoopJars(tell);
  for (const daemon of allDaemons(plan)) {
    for (const address of daemon.listensAt) await mustBeFree(address);
  }
  claim(plan);
}

/** Starts the cluster in its directory; resolves when it is usable. */
export async function start(plan: ClusterPlan, { tell, signal }: StartOptions): Promise<void> {
  const { configuration, jars, environment: file, ...others } = places(plan.directory);
  for (const place of [configuration, others.logs, others.daemons, others.nodes]) {
    mkdirSync(place, { recursive: true });
  }
  symlinkSync(jarsDirectory(), jars);
  writeConfiguration(plan);
  const variables = Object.entries(environment(plan)).map(
    ([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`,
  );
  writeFileSync(file, variables.join(""));
  tell(`starting ${plan.workers} workers below ${plan.directory}`);
  await format(plan);
  const hasArchive = existsSync(classArchive());
  const first = firstDaemons(plan);
  const started: Started[] = [];
  for (const daemon of first) {
    // The last daemon is a NodeManager.
    const isRecorded = !hasArchive && daemon === first.at(-1);
    started.push(startOne(plan, daemon, isRecorded ? recordingFlags(plan) : []));
  }
  await until(plan, { started, signal, isDone: () => isStored(plan), what: "HDFS" });
  started.push(startOne(plan, historyServer(plan)));
  const isReady = async (): Promise<boolean> =>
    (await isHistoryServed(plan)) &&
    (await isActive(plan)) &&
    areRunning(plan.workers, await nodeStates(plan));
  await until(plan, { started, signal, isDone: isReady, what: "YARN" });
  if (hasArchive) return;
  await makeArchive(plan, { tell, signal });
  // Writes the flags for containers, which clients find in the configuration.
  writeConfiguration(plan);
}

/** Starts the daemon of a node again, and waits until YARN uses the node. */
export async function startAgain(
  plan: ClusterPlan,
  node: Worker,
  signal: AbortSignal,
): Promise<void> {
  const started = [startOne(plan, nodeManager(plan, node))];
  // YARN may not have noticed yet that the earlier daemon is gone.
  const isDone = async (): Promise<boolean> =>
    (await isNodeServed(node)) && (await nodeStates(plan)).get(node.name) === "RUNNING";
  await until(plan, { started, signal, isDone, what: node.name });
}

/** Starts daemons of the master again, one after the other, and waits until each works. */
export async function startMasterAgain(
  plan: ClusterPlan,
  daemons: readonly Daemon[],
  signal: AbortSignal,
): Promise<void> {
  const workers = workersOf(plan).filter(
    (worker) => findDaemon(plan, nodeManager(plan, worker)) !== undefined,
  );
  const areUsed = async () =>
    areRunning(workers.length, await nodeStates(plan)) && (await isActive(plan));
  const isOfUse = new Map([
    [nameNode(plan).name, () => isStored(plan)],
    [resourceManager(plan).name, areUsed],
    [historyServer(plan).name, () => isHistoryServed(plan)],
  ]);
  for (const daemon of daemons) {
    const { name } = daemon;
    const isDone = defined(isOfUse.get(name), name);
    await until(plan, { started: [startOne(plan, daemon)], signal, isDone, what: name });
  }
}

/** Claims the directory, unless another cluster already has it. */
function claim(plan: ClusterPlan): void {
  const { directory, block, workers, scheduler } = plan;
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) {
    throw new InputError("bad-flag", "--dir", `${directory}: it exists, and is not empty`);
  }
  writeFileSync(planFile(directory), JSON.stringify({ block, workers, scheduler }), { flag: "wx" });
}

async function mustBeFree(listensAt: string): Promise<void> {
  const [host = "", port] = listensAt.split(":");
  const server = createServer();
  const code = await new Promise<unknown>((resolve) => {
    server.once("error", (error) => resolve("code" in error ? error.code : error));
    server.listen({ host, port: Number(port) }, () => server.close(() => resolve(undefined)));
  });
  if (code === undefined) return;
  const why = code === "EADDRINUSE" ? "is taken, perhaps by another cluster" : `cannot be had`;
  throw new InputError("bad-flag", "--address", `${listensAt} ${why}: choose another, as 127.0.1`);
}

async function format(plan: ClusterPlan): Promise<void> {
  const [program = "", ...args] = javaCommand(plan, "hdfs.server.namenode.NameNode");
  const env = { ...process.env, ...environment(plan) };
  await promisify(execFile)(program, [...args, "-format", "-nonInteractive"], { env });
}

const isStored = async (plan: ClusterPlan): Promise<boolean> =>
  (await liveDataNodes(plan)) === plan.workers;

const areRunning = (workers: number, states: ReadonlyMap<string, string>): boolean =>
  [...states.values()].filter((state) => state === "RUNNING").length === workers;

interface Started {
  readonly daemon: Daemon;
  readonly process: Launched;
}

const startOne = (plan: ClusterPlan, daemon: Daemon, flags: readonly string[] = []): Started => ({
  daemon,
  process: startDaemon(plan, daemon, flags),
});

interface Wait {
  readonly started: readonly Started[];
  readonly signal: AbortSignal;
  readonly isDone: () => Promise<boolean>;
  readonly what: string;
}

/**
 * Waits until `isDone`. A daemon that ends in the meantime will not come back: its log says why.
 * The child process itself is checked, since its directory and command are not visible at its very
 * beginning.
 */
async function until(plan: ClusterPlan, { started, signal, isDone, what }: Wait): Promise<void> {
  const from = performance.now();
  while (!(await isDone())) {
    signal.throwIfAborted();
    const ended = started.find(({ process }) => process.hasEnded());
    if (ended !== undefined) {
      const { name } = ended.daemon;
      throw new Error(`${name} ended:\n${lastWords(plan, name)}`);
    }
    if (performance.now() - from > PATIENCE_MS) {
      throw new Error(`${what} is not usable after ${PATIENCE_MS / 1000} s`);
    }
    await sleep(POLL_MS);
  }
}

const POLL_MS = 250;
/** On an idle machine with two cores a start takes 20 s. */
const PATIENCE_MS = 180_000;
