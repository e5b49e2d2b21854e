import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../../src/base/input-error.ts";
import { BUILD } from "./repository.ts";

/** The options of a cluster's start; everything else about it follows from them. */
export interface ClusterPlan {
  /** Absolute, without symbolic links: everything of the cluster is below it. */
  readonly directory: string;
  /** The first three numbers of its addresses, such as `127.0.0`. */
  readonly block: string;
  readonly workers: number;
  readonly scheduler: Scheduler;
}

export const SCHEDULERS = ["capacity", "fair"] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

export interface ClusterOptions {
  readonly directory?: string | undefined;
  readonly address?: string | undefined;
  readonly workers?: number | undefined;
  readonly scheduler?: Scheduler | undefined;
}

export const DEFAULT_DIRECTORY: string = join(BUILD, "cluster");
export const DEFAULT_BLOCK = "127.0.0";
export const DEFAULT_WORKERS = 4;
const WORKERS_MAX = 20;

/** A machine of the cluster, which is really a name and an address of this one. */
export interface Machine {
  readonly name: string;
  readonly address: string;
}

/** Runs a DataNode and a NodeManager. */
export interface Worker extends Machine {
  /** Counted from 1. */
  readonly number: number;
  readonly rack: string;
}

export function planCluster(options: ClusterOptions): ClusterPlan {
  const block = options.address ?? DEFAULT_BLOCK;
  const workers = options.workers ?? DEFAULT_WORKERS;
  if (!/^127\.\d{1,3}\.\d{1,3}$/.test(block)) {
    throw new InputError(
      "bad-flag",
      "--address",
      `${block}: three numbers that begin with 127, such as 127.0.1`,
    );
  }
  if (!Number.isInteger(workers) || workers < 1 || workers > WORKERS_MAX) {
    throw new InputError("bad-flag", "--workers", `a whole number from 1 to ${WORKERS_MAX}`);
  }
  const directory = clusterDirectory(options.directory);
  return { directory, block, workers, scheduler: options.scheduler ?? "capacity" };
}

/**
 * The directory's path in the kernel's form, since the cluster's processes are recognised by their
 * working directories.
 */
export function clusterDirectory(named: string = DEFAULT_DIRECTORY): string {
  const path = resolve(named);
  mkdirSync(dirname(path), { recursive: true });
  const directory = join(realpathSync(dirname(path)), basename(path));
  // Both become part of class paths, and the first also of lists in Hadoop's configuration.
  for (const place of [directory, BUILD]) {
    if (/^[\w./@+-]+$/.test(place)) continue;
    const expected = "Hadoop can only be given letters, digits and ./_@+-";
    throw new InputError("bad-flag", "--dir", `${place}: ${expected}`);
  }
  return directory;
}

/** The machine that runs NameNode, ResourceManager and JobHistoryServer. */
export const master = (plan: ClusterPlan): Machine => ({
  name: "m1",
  address: `${plan.block}.10`,
});

export const workersOf = (plan: ClusterPlan): readonly Worker[] =>
  Array.from({ length: plan.workers }, (_, index) => ({
    number: index + 1,
    name: `n${index + 1}`,
    address: `${plan.block}.${11 + index}`,
    rack: index < plan.workers / 2 ? "/rack1" : "/rack2",
  }));

/** The plan in the directory; undefined if no cluster is there. */
export function findPlan(directory: string): ClusterPlan | undefined {
  const file = planFile(directory);
  if (!existsSync(file)) return undefined;
  const read: unknown = JSON.parse(readFileSync(file, "utf8"));
  const isPlan =
    typeof read === "object" &&
    read !== null &&
    "block" in read &&
    "workers" in read &&
    "scheduler" in read;
  const scheduler = SCHEDULERS.find((name) => isPlan && name === read.scheduler);
  if (!isPlan || scheduler === undefined) {
    throw new InputError("missing-file", file, "not written by this program");
  }
  return { directory, block: String(read.block), workers: Number(read.workers), scheduler };
}

export const planFile = (directory: string): string => join(directory, "cluster.json");

/** The directories below the cluster's own. */
export const places = (directory: string) => ({
  configuration: join(directory, "conf"),
  hosts: join(directory, "conf", "hosts"),
  jars: join(directory, "lib"),
  environment: join(directory, "environment"),
  logs: join(directory, "log"),
  /** The list of a NodeManager's classes, while there is no archive of them. */
  classes: join(directory, "classes"),
  /** Contains a working directory for each daemon. */
  daemons: join(directory, "daemons"),
  /** Contains a directory for each node with its local files and its containers' logs. */
  nodes: join(directory, "nodes"),
  hdfs: join(directory, "hdfs"),
  scratch: join(directory, "tmp"),
});
