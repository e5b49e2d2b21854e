import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { archiveFlags } from "./class-archive.ts";
import { classPath, JVM_FLAGS } from "./configuration.ts";
import { javaHome } from "./java.ts";
import { type ClusterPlan, master, places, type Worker, workersOf } from "./plan.ts";
import { processesBelow, type StandingProcess } from "./processes.ts";

/** One JVM of the cluster. */
export interface Daemon {
  readonly name: string;
  /** Relative to `org.apache.hadoop`. */
  readonly mainClass: string;
  /** Settings of this daemon alone; all others are in the configuration. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * The addresses `address:port` at which the daemon listens, without those that the system picks.
   */
  readonly listensAt: readonly string[];
}

export function nameNode(plan: ClusterPlan): Daemon {
  return {
    name: "namenode",
    mainClass: "hdfs.server.namenode.NameNode",
    settings: {},
    listensAt: at(master(plan).address, [8020, 9870]),
  };
}

export function resourceManager(plan: ClusterPlan): Daemon {
  return {
    name: "resourcemanager",
    mainClass: "yarn.server.resourcemanager.ResourceManager",
    settings: {},
    listensAt: at(master(plan).address, [8030, 8031, 8032, 8033, 8088]),
  };
}

export function historyServer(plan: ClusterPlan): Daemon {
  return {
    name: "historyserver",
    mainClass: "mapreduce.v2.hs.JobHistoryServer",
    settings: {},
    listensAt: at(master(plan).address, [10020, 10034, 19888]),
  };
}

/** The NameNode identifies DataNodes by their ports, since they share one address. */
export function dataNode(plan: ClusterPlan, { name, number, address }: Worker): Daemon {
  const [data, http, ipc] = [9900 + number, 9930 + number, 9960 + number];
  return {
    name: `datanode-${name}`,
    mainClass: "hdfs.server.datanode.DataNode",
    settings: {
      "dfs.datanode.hostname": name,
      "dfs.datanode.address": `${name}:${data}`,
      "dfs.datanode.http.address": `${name}:${http}`,
      "dfs.datanode.ipc.address": `${name}:${ipc}`,
      "dfs.datanode.data.dir": `file://${join(places(plan.directory).hdfs, name)}`,
    },
    listensAt: at(address, [data, http, ipc]),
  };
}

export function nodeManager(plan: ClusterPlan, { name, address }: Worker): Daemon {
  const node = join(places(plan.directory).nodes, name);
  return {
    name: `nodemanager-${name}`,
    mainClass: "yarn.server.nodemanager.NodeManager",
    settings: {
      "yarn.nodemanager.hostname": name,
      "yarn.nodemanager.address": `${name}:8041`,
      "yarn.nodemanager.local-dirs": join(node, "local"),
      "yarn.nodemanager.log-dirs": join(node, "log"),
    },
    listensAt: at(address, [8040, 8041, 8042]),
  };
}

/** All daemons but the JobHistoryServer, which needs a working HDFS at its start. */
export const firstDaemons = (plan: ClusterPlan): readonly Daemon[] => [
  nameNode(plan),
  resourceManager(plan),
  ...workersOf(plan).map((worker) => dataNode(plan, worker)),
  ...workersOf(plan).map((worker) => nodeManager(plan, worker)),
];

export const allDaemons = (plan: ClusterPlan): readonly Daemon[] => [
  ...firstDaemons(plan),
  historyServer(plan),
];

/** The daemons of the machine `m1`. */
export const masterDaemons = (plan: ClusterPlan): readonly Daemon[] => [
  nameNode(plan),
  resourceManager(plan),
  historyServer(plan),
];

/**
 * The environment of every JVM of the cluster and its clients. Performance data is off because
 * HotSpot would change into `/tmp/hsperfdata_USER` while it starts, and the cluster recognises its
 * processes by their working directories.
 */
export function environment(plan: ClusterPlan): Readonly<Record<string, string>> {
  const { configuration, hosts } = places(plan.directory);
  return {
    JAVA_HOME: javaHome(),
    JDK_JAVA_OPTIONS: `-Djdk.net.hosts.file=${hosts} -XX:-UsePerfData`,
    HADOOP_CONF_DIR: configuration,
    HADOOP_CLASSPATH: classPath(plan).join(":"),
  };
}

/** Starts the daemon, with further JVM flags if given; the daemon outlives this process. */
export function startDaemon(
  plan: ClusterPlan,
  daemon: Daemon,
  flags: readonly string[] = [],
): Launched {
  const settings = Object.entries(daemon.settings).flatMap(([name, value]) => [
    "-D",
    `${name}=${value}`,
  ]);
  // Web servers unpack their pages there, and a killed one leaves them.
  const scratch = `-Djava.io.tmpdir=${join(places(plan.directory).daemons, daemon.name)}`;
  const command = javaCommand(plan, daemon.mainClass, [...flags, scratch]);
  return launch(plan, daemon.name, [...command, ...settings]);
}

/** The command line for a Hadoop class, without the class's arguments. */
export const javaCommand = (
  plan: ClusterPlan,
  mainClass: string,
  flags: readonly string[] = [],
): readonly string[] => [
  join(javaHome(), "bin/java"),
  "-Xmx256m",
  ...JVM_FLAGS,
  ...archiveFlags(),
  ...flags,
  "-cp",
  classPath(plan).join(":"),
  `org.apache.hadoop.${mainClass}`,
];

/** A child process, whose end this process therefore learns. */
export interface Launched {
  readonly pid: number;
  hasEnded(): boolean;
}

/**
 * Starts a process that outlives this one, in its own session and directory. It gets only the
 * environment that it needs, so that no other Hadoop's settings get in.
 */
export function launch(plan: ClusterPlan, name: string, command: readonly string[]): Launched {
  const { daemons } = places(plan.directory);
  const directory = join(daemons, name);
  mkdirSync(directory, { recursive: true });
  const log = openSync(logOf(plan, name), "a");
  const { PATH = "/usr/bin:/bin", LANG = "C.UTF-8", HOME = "/" } = process.env;
  const { HADOOP_CLASSPATH: _, ...needed } = environment(plan);
  const env = { PATH, LANG, HOME, USER: userInfo().username, ...needed };
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: directory,
    env,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.on("error", () => {});
  child.unref();
  if (child.pid === undefined) throw new Error(`${program} cannot be started`);
  return { pid: child.pid, hasEnded: () => child.exitCode !== null || child.signalCode !== null };
}

/** The process with that name; its children run in the same directory, but lack the argument. */
export function findProcess(
  plan: ClusterPlan,
  name: string,
  argument: string,
): StandingProcess | undefined {
  const standing = processesBelow(join(places(plan.directory).daemons, name));
  return standing.find(({ command }) => command.includes(argument));
}

/** The daemon's process id, or undefined if it does not run. */
export const findDaemon = (plan: ClusterPlan, { name, mainClass }: Daemon): number | undefined =>
  findProcess(plan, name, `org.apache.hadoop.${mainClass}`)?.pid;

export const logOf = (plan: ClusterPlan, name: string): string =>
  join(places(plan.directory).logs, `${name}.log`);

/** The end of the daemon's log, which may show why the daemon ended. */
export function lastWords(plan: ClusterPlan, name: string): string {
  const lines = readFileSync(logOf(plan, name), "utf8").trimEnd().split("\n");
  return lines.slice(-LAST_WORDS).join("\n");
}

const LAST_WORDS = 20;

const at = (address: string, ports: readonly number[]): readonly string[] =>
  ports.map((port) => `${address}:${port}`);
