import type { Chance } from "../../base/chance.ts";
import type { Fault } from "../../model/fault.ts";
import type { EdgeStart, Priority } from "../../model/job.ts";
import type { CapacityPoint } from "./fluid/capacity.ts";

/**
 * An experiment as data: what a scenario file holds. Every number's unit stands in its name; a
 * number drawn by chance is written as its distribution.
 */
export interface Scenario {
  readonly name: string;
  /** What it shows, and where its numbers come from. */
  readonly about: string;
  readonly cluster: ClusterSpec;
  readonly jobs: readonly ScenarioJob[];
  /** Times count from the start of the simulation. */
  readonly faults: readonly Fault[];
  readonly study: StudySpec;
}

export interface ClusterSpec {
  /** Names of the kinds of slot; map and reduce, unless said otherwise. */
  readonly slotKinds: readonly string[];
  readonly racks: readonly string[];
  readonly nodes: readonly NodeGroup[];
  /** Machines by name. Needed where tasks read, compute and write; not where they only last. */
  readonly hosts: Readonly<Record<string, HostSpec>>;
  /** Between a rack and the rest; no limit if left out. */
  readonly rackUpBytesPerMs: number;
  readonly rackDownBytesPerMs: number;
  /**
   * In place of these: the links of a rack's machines together carry so many times what the rack's
   * own links carry.
   */
  readonly oversubscription?: number;
  /**
   * Time between the measurements of the racks' links that the scheduler hears of; 0: it hears of
   * each change at once.
   */
  readonly linkSampleMs: number;
  /** Time between a node's heartbeats; 0: what happens on a node is known at once. */
  readonly heartbeatMs: number;
  /** Whether a node also reports when a task ends: mapreduce.tasktracker.outofband.heartbeat. */
  readonly outOfBandHeartbeat: boolean;
  /** Time between the progress reports of an attempt; 0: always fresh. */
  readonly reportEveryMs: number;
  /**
   * Time between two times that disks, cores and links are shared out anew; 0: at every change.
   */
  readonly shareEveryMs: number;
  /** Mean progress and percentiles may be this old: what many slots ask for is worked out once. */
  readonly statisticsEveryMs: number;
  /** Free slots that got nothing are offered again after this time. */
  readonly askAgainMs: number;
  /** The failed attempt of a task with this number fails its job. */
  readonly attemptsMax: number;
}

/** Nodes that are alike, named after the group: slow-0, slow-1, ... */
export interface NodeGroup {
  readonly name: string;
  readonly count: number;
  /** How many times slower than normal; drawn for each node. */
  readonly factor: Chance;
  /** Count per kind of slot. */
  readonly slots: Readonly<Record<string, number>>;
  /** All in this rack; spread over the racks, one after the other, if left out. */
  readonly rack?: string;
  /** Name of the machine that they run on. */
  readonly host?: string;
  /** So many nodes of the group share one machine. */
  readonly vmsPerHost: number;
}

/** What the nodes on one machine share, max-min fair. */
export interface HostSpec {
  readonly cores: number;
  /** Most cores that one of its nodes may use at once. */
  readonly coresPerVm: number;
  /** By the number of streams that read or write at once. */
  readonly disk: readonly CapacityPoint[];
  /** The most that the streams of one node get of it. */
  readonly diskBytesPerMsPerVm: number;
  readonly upBytesPerMs: number;
  readonly downBytesPerMs: number;
  /** If left out, whatever is written waits for the disk. */
  readonly pageCache?: PageCacheSpec;
}

/**
 * Memory before a disk. What is written reaches the disk by and by, and what nodes have written
 * themselves, outputs among it, is read from memory; input always comes from the disk.
 */
export interface PageCacheSpec {
  /** Who writes when so many bytes are not yet on the disk waits for it. Linux: vm.dirty_ratio. */
  readonly unwrittenBytesMax: number;
  /** Of one stream. */
  readonly bytesPerMs: number;
}

/** One job, or a series of jobs that are alike. */
export interface ScenarioJob {
  readonly name: string;
  readonly count: number;
  readonly arrival: ArrivalSpec;
  readonly user: string;
  readonly pool: string;
  readonly priority: Priority;
  readonly phases: readonly PhaseSpec[];
}

/** The first comes at `atMs`, the next ones each `gapMs` later. */
export interface ArrivalSpec {
  readonly atMs: number;
  readonly gapMs: Chance;
}

export interface PhaseSpec {
  readonly name: string;
  /** Names of the kinds of slot that its tasks may take. */
  readonly slots: readonly string[];
  readonly tasks: number;
  readonly after: readonly EdgeSpec[];
  readonly work: WorkSpec;
  /** That an attempt fails at some point of its way, 0 to 1. */
  readonly failureProbability: number;
}

export interface EdgeSpec {
  readonly phase: string;
  readonly start: EdgeStart;
}

/** What a task does. */
export type WorkSpec = FixedWork | MapWork | ReduceWork;

/** It lasts, and shares nothing: for studies of scheduling alone. */
export interface FixedWork {
  readonly kind: "fixed";
  readonly stages: readonly StageWork[];
  /** Whether every attempt draws its own times; else they belong to the task. */
  readonly drawnPerAttempt: boolean;
  /** Whether a slow node takes longer. */
  readonly slowedByNode: boolean;
  /**
   * Milliseconds at factor 1 before an attempt reads or scores anything, beside the stages: a
   * container is set up, a process is started. Drawn for each attempt.
   */
  readonly startMs: Chance;
  /** Input of each task, for what it reports and for locality. */
  readonly inputBytes: Chance;
  readonly replicas: number;
}

/** A stage is a chain of steps; each step's share of the score is the same, whatever its time. */
export interface StageWork {
  readonly name: string;
  /** Share of the progress score. */
  readonly share: number;
  readonly steps: number;
  /** Of one step, at factor 1. */
  readonly stepMs: Chance;
}

/** Reads its input from a disk that holds it, computes, writes what the readers will fetch. */
export interface MapWork {
  readonly kind: "map";
  readonly inputBytes: Chance;
  readonly replicas: number;
  /** Input that one core at factor 1 goes through. */
  readonly cpuBytesPerMs: number;
  /** Most cores that one attempt uses at once. */
  readonly threads: number;
  readonly outputPerInput: number;
  /** Milliseconds of a core before it does anything: a process is started for every attempt. */
  readonly startMs: number;
  /** Whether it computes while it reads, or afterwards. */
  readonly readsAhead: boolean;
  /** Times that the output is written and read again before it is written for good: its merges. */
  readonly sortPasses: number;
  /**
   * What merging and writing the output add to the score, whatever time they take: 0.333 in Hadoop
   * since 0.21. Left out: their share of the time, as before.
   */
  readonly sortScore?: number;
}

/**
 * Fetches its partition of every output that it reads, sorts it on its disk, computes and writes.
 */
export interface ReduceWork {
  readonly kind: "reduce";
  /** Fetches at the same time: mapred.reduce.parallel.copies. */
  readonly lanes: number;
  /** Relative size of each partition. */
  readonly partitionWeight: Chance;
  /** Whether what has been fetched is written to its disk before the copy counts as done. */
  readonly copiesToDisk: boolean;
  /** Times that the input is read and written while it is sorted. */
  readonly sortPasses: number;
  readonly cpuBytesPerMs: number;
  /** Most cores that one attempt uses at once. */
  readonly threads: number;
  readonly outputPerInput: number;
  /** Nodes that its output is written to while it reduces, its own among them: HDFS's pipeline. */
  readonly outputReplicas: number;
  /** For each so many bytes of it the other nodes are chosen anew: HDFS's block. */
  readonly outputBlockBytes: number;
  /** Milliseconds of a core before it does anything: a process is started for every attempt. */
  readonly startMs: number;
  /** Milliseconds that it waits, when all is done, for leave to keep its output. */
  readonly commitMs: number;
  readonly fetch: FetchSpec;
}

/** What a reader does when an output's node does not answer; Hadoop 1.2.1's ReduceCopier. */
export interface FetchSpec {
  readonly retryMs: number;
  /** Each failure makes the wait this much longer. */
  readonly retryGrowth: number;
  /**
   * One failure in so many is reported; an answer that the output is gone is reported at once.
   */
  readonly reportEveryFailures: number;
  /**
   * It looks again after so long when it begins, and whenever nothing is under way and nothing to
   * be had. 0: it is told.
   */
  readonly idleMs: number;
}

/** What to run, and what was published about it. */
export interface StudySpec {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly disciplines: readonly DisciplineSpec[];
}

export interface DisciplineSpec {
  /** As on the command line: a name, or a combination. */
  readonly discipline: string;
  /** How its rows are called. */
  readonly label: string;
  readonly set: Settings;
  /** What it may know that no scheduler can. */
  readonly oracle?: Oracle;
  readonly sweep?: SweepSpec;
  readonly published?: Published;
}

/** Parameters by name: "speculation.speculativeCap". */
export type Settings = Readonly<Record<string, number | string | boolean>>;

export interface SweepSpec {
  readonly parameter: string;
  readonly values: readonly (number | string | boolean)[];
}

/** Printed beside what was measured. */
export interface Published {
  readonly responseMs?: number;
  readonly wastedMsPerNode?: number;
  /** Of a figure whose values are not printed: what is said about it. */
  readonly note?: string;
}

/**
 * What a run may know or be spared that no scheduler can (Mantri §6.1). ideal-recompute: future
 * knowledge of loss, so that no output is lost on a node that lives. ideal-reduce: the links
 * between racks as they are at this moment, not as they will be.
 */
export const ORACLES = ["ideal-recompute", "ideal-reduce"] as const;
export type Oracle = (typeof ORACLES)[number];
