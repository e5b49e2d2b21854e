import type { Chance } from "../../base/chance.ts";
import type { Fault } from "../../model/fault.ts";
import type { EdgeStart, Priority } from "../../model/job.ts";
import type { CapacityPoint } from "./fluid/capacity.ts";

/**
 * An experiment as data: the content of a scenario file. Every number's unit stands in its name; a
 * random number is written as its distribution.
 */
export interface Scenario {
  readonly name: string;
  /** What the scenario shows, and the sources of its numbers. */
  readonly about: string;
  readonly cluster: ClusterSpec;
  readonly jobs: readonly ScenarioJob[];
  /** Times count from the start of the simulation. */
  readonly faults: readonly Fault[];
  readonly study: StudySpec;
}

export interface ClusterSpec {
  /** Names of the kinds of slot; map and reduce by default. */
  readonly slotKinds: readonly string[];
  readonly racks: readonly string[];
  readonly nodes: readonly NodeGroup[];
  /**
   * Machines by name. Required where tasks read, compute and write, but not where they only last.
   */
  readonly hosts: Readonly<Record<string, HostSpec>>;
  /** Capacity between a rack and the rest; unlimited if left out. */
  readonly rackUpBytesPerMs: number;
  readonly rackDownBytesPerMs: number;
  /**
   * Instead of these two: how many times the rack's links the links of its machines carry together.
   */
  readonly oversubscription?: number;
  /**
   * Time between measurements of the racks' links for the scheduler; 0 reports each change at once.
   */
  readonly linkSampleMs: number;
  /** Time between a node's heartbeats; 0 reports every change on a node at once. */
  readonly heartbeatMs: number;
  /** Whether a node also reports when a task ends: mapreduce.tasktracker.outofband.heartbeat. */
  readonly outOfBandHeartbeat: boolean;
  /** Time between the progress reports of an attempt; 0 keeps progress always fresh. */
  readonly reportEveryMs: number;
  /**
   * Time between two solvings of the shares of disks, cores and links; 0 solves at every change.
   */
  readonly shareEveryMs: number;
  /** The allowed age of mean progress and percentiles, so that many slots share one computation. */
  readonly statisticsEveryMs: number;
  /** Free slots that stayed unused are offered again after this time. */
  readonly askAgainMs: number;
  /** The number of failed attempts of a task that fails its job. */
  readonly attemptsMax: number;
}

/** A group of equal nodes, named after the group: slow-0, slow-1, ... */
export interface NodeGroup {
  readonly name: string;
  readonly count: number;
  /** How many times slower than normal a node is; drawn for each node. */
  readonly factor: Chance;
  /** Slots per kind. */
  readonly slots: Readonly<Record<string, number>>;
  /**
   * The rack of all nodes of the group; if left out, the nodes are spread over the racks in turn.
   */
  readonly rack?: string;
  /** Name of the machine on which the nodes run. */
  readonly host?: string;
  /** Nodes of the group per machine. */
  readonly vmsPerHost: number;
}

/** The resources that the nodes on one machine share, max-min fair. */
export interface HostSpec {
  readonly cores: number;
  /** The most cores that one node of the machine may use at once. */
  readonly coresPerVm: number;
  /** The rate by the number of streams that read or write at once. */
  readonly disk: readonly CapacityPoint[];
  /** The most of the disk that the streams of one node get. */
  readonly diskBytesPerMsPerVm: number;
  readonly upBytesPerMs: number;
  readonly downBytesPerMs: number;
  /** If left out, every write waits for the disk. */
  readonly pageCache?: PageCacheSpec;
}

/**
 * The memory before a disk. Writes reach the disk gradually, and data that nodes have written,
 * outputs among it, is read from memory; input always comes from the disk.
 */
export interface PageCacheSpec {
  /** A writer waits for the disk while this many bytes are unwritten. Linux: vm.dirty_ratio. */
  readonly unwrittenBytesMax: number;
  /** The rate of one stream. */
  readonly bytesPerMs: number;
}

/** One job, or a series of equal jobs. */
export interface ScenarioJob {
  readonly name: string;
  readonly count: number;
  readonly arrival: ArrivalSpec;
  readonly user: string;
  readonly pool: string;
  readonly priority: Priority;
  /** Whether tasks of the job may be copied. LATE §2.2. */
  readonly speculate: boolean;
  readonly phases: readonly PhaseSpec[];
}

/** The first job arrives at `atMs`, each later one `gapMs` after the one before. */
export interface ArrivalSpec {
  readonly atMs: number;
  readonly gapMs: Chance;
}

export interface PhaseSpec {
  readonly name: string;
  /** Names of the kinds of slot that the phase's tasks may take. */
  readonly slots: readonly string[];
  readonly tasks: number;
  readonly after: readonly EdgeSpec[];
  readonly work: WorkSpec;
  /** The probability that an attempt fails at some point, 0 to 1. */
  readonly failureProbability: number;
  /** Whether tasks of the phase may be copied, if the job allows it. LATE §2.2. */
  readonly speculate: boolean;
}

export interface EdgeSpec {
  readonly phase: string;
  readonly start: EdgeStart;
}

/** The work of a task. */
export type WorkSpec = FixedWork | MapWork | ReduceWork;

/** The task lasts for a time and shares nothing: for studies of scheduling alone. */
export interface FixedWork {
  readonly kind: "fixed";
  readonly stages: readonly StageWork[];
  /** Whether every attempt draws its own times; otherwise the times belong to the task. */
  readonly drawnPerAttempt: boolean;
  /** Whether a slow node takes longer. */
  readonly slowedByNode: boolean;
  /**
   * Milliseconds at factor 1 before an attempt reads or scores anything, in addition to the stages:
   * a container is set up, a process is started. Drawn for each attempt.
   */
  readonly startMs: Chance;
  /** The input of each task, used for its reports and for locality. */
  readonly inputBytes: Chance;
  readonly replicas: number;
}

/**
 * A stage is a chain of steps; each step's share of the score is the same, whatever the step's
 * time.
 */
export interface StageWork {
  readonly name: string;
  /** The stage's share of the progress score. */
  readonly share: number;
  readonly steps: number;
  /** Milliseconds of one step at factor 1. */
  readonly stepMs: Chance;
}

/** Reads its input from a disk that holds it, computes, and writes what its readers fetch. */
export interface MapWork {
  readonly kind: "map";
  readonly inputBytes: Chance;
  readonly replicas: number;
  /** The input rate of one core at factor 1. */
  readonly cpuBytesPerMs: number;
  /** The most cores that one attempt uses at once. */
  readonly threads: number;
  readonly outputPerInput: number;
  /** Milliseconds of a core before an attempt does anything: each attempt starts a process. */
  readonly startMs: number;
  /** Whether the task computes while it reads, or afterwards. */
  readonly readsAhead: boolean;
  /** How often the output is written and read again before its final write: the merges. */
  readonly sortPasses: number;
  /**
   * What merging and writing the output add to the score, however long they take: 0.333 in Hadoop
   * since 0.21. If left out, they score their share of the time, as before 0.21.
   */
  readonly sortScore?: number;
}

/** Fetches its partition of each source output, sorts it on its disk, computes and writes. */
export interface ReduceWork {
  readonly kind: "reduce";
  /** Fetches at the same time: mapred.reduce.parallel.copies. */
  readonly lanes: number;
  /** Relative size of each partition. */
  readonly partitionWeight: Chance;
  /** Whether the fetched data is written to disk before the copy counts as done. */
  readonly copiesToDisk: boolean;
  /** How often the input is read and written during the sort. */
  readonly sortPasses: number;
  readonly cpuBytesPerMs: number;
  /** The most cores that one attempt uses at once. */
  readonly threads: number;
  readonly outputPerInput: number;
  /** Nodes that receive the output while the task reduces, its own among them: HDFS's pipeline. */
  readonly outputReplicas: number;
  /** The other nodes are chosen again for every block of this many bytes: HDFS's block. */
  readonly outputBlockBytes: number;
  /** Milliseconds of a core before an attempt does anything: each attempt starts a process. */
  readonly startMs: number;
  /** Milliseconds for which a finished attempt waits for permission to commit its output. */
  readonly commitMs: number;
  readonly fetch: FetchSpec;
}

/** A reader's behaviour when an output's node does not answer; Hadoop 1.2.1's ReduceCopier. */
export interface FetchSpec {
  readonly retryMs: number;
  /** The factor by which each failure lengthens the wait. */
  readonly retryGrowth: number;
  /**
   * One failure in this many is reported; an answer that the output is gone is reported at once.
   */
  readonly reportEveryFailures: number;
  /**
   * A reader looks again after this time when it begins, and whenever no fetch is under way and no
   * output is available. 0: the reader learns of outputs at once.
   */
  readonly idleMs: number;
}

/** The runs of the study, and the published results. */
/** The most runs of a row. */
export const SEEDS_MAX = 1_000_000;

export interface StudySpec {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly disciplines: readonly DisciplineSpec[];
}

export interface DisciplineSpec {
  /** A name or a combination, as on the command line. */
  readonly discipline: string;
  /** The label of the discipline's rows. */
  readonly label: string;
  readonly set: Settings;
  /** What the discipline may know that no scheduler can. */
  readonly oracle?: Oracle;
  /** The kinds of slot on which no task is copied, as if each phase that takes them forbade it. */
  readonly noCopies?: readonly string[];
  readonly sweep?: SweepSpec;
  readonly published?: Published;
}

/** Parameters by name: "speculation.speculativeCap". */
export type Settings = Readonly<Record<string, number | string | boolean>>;

export interface SweepSpec {
  readonly parameter: string;
  readonly values: readonly (number | string | boolean)[];
}

/** Printed beside the measured values. */
export interface Published {
  readonly responseMs?: number;
  readonly wastedMsPerNode?: number;
  /** What the paper says about a figure whose values it does not print. */
  readonly note?: string;
}

/**
 * What a run may know or be spared that no scheduler can (Mantri §6.1). ideal-recompute: future
 * knowledge of loss, so that no output is lost on a node that lives. ideal-reduce: the state of the
 * links between racks at this moment, instead of a later one.
 */
export const ORACLES = ["ideal-recompute", "ideal-reduce"] as const;
export type Oracle = (typeof ORACLES)[number];
