import type { Instant, JobId, NodeId, PhaseId, SlotKind, TaskId } from "./ids.ts";

/** HIGH before NORMAL, as in Hadoop 1.2.1's JobPriority; the first is served first. */
export const PRIORITIES = ["very-high", "high", "normal", "low", "very-low"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** One submission by one user: phases of tasks, and the edges between them. */
export interface Job {
  readonly id: JobId;
  /** Unique among the jobs of one journal. */
  readonly name: string;
  readonly user: string;
  /** Fair's pool, Capacity's queue. */
  readonly pool: string;
  readonly priority: Priority;
  readonly submittedAt: Instant;
  /**
   * Whether a task of the job may run twice at a time (default: true). LATE §2.2: some users switch
   * copies off for a whole job. False: the job's code has effects that must not happen twice at
   * once.
   */
  readonly speculate?: boolean;
  /** In topological order: edges point backwards. */
  readonly phases: readonly Phase[];
}

/** The tasks of one step of a job: all maps, or all reduces. */
export interface Phase {
  readonly id: PhaseId;
  /** Unique within its job. */
  readonly name: string;
  readonly job: JobId;
  /** The slot kinds that the phase's tasks may take. */
  readonly slots: readonly SlotKind[];
  readonly after: readonly Edge[];
  /**
   * Milliseconds from the moment at which the edges allow the phase to begin until it begins: what
   * the job's driver does in between. 0 if left out.
   */
  readonly gapMs?: number;
  /**
   * Whether a task of the phase may run twice at a time, if its job allows that (default: true), as
   * Hadoop's mapreduce.map.speculative and mapreduce.reduce.speculative. LATE §2.2: one cluster has
   * copies of reduces switched off.
   */
  readonly speculate?: boolean;
  readonly tasks: TaskList;
}

/** Whether tasks of this phase of the job may run twice at a time. */
export const mayBeCopied = (job: Job, phase: Phase): boolean =>
  job.speculate !== false && phase.speculate !== false;

/** Tasks by index. A host may make them on demand; an array will do, too. */
export interface TaskList extends Iterable<Task> {
  readonly length: number;
  /** Set if no task has replicas or is pinned: no code then needs to make all tasks to find out. */
  readonly areUnplaced?: boolean;
  at(index: number): Task | undefined;
}

/** The phase with this edge reads the output of `phase`. */
export interface Edge {
  readonly phase: PhaseId;
  readonly start: EdgeStart;
}

/** When the readers may be launched. Hadoop's slowstart is a fraction of 0.05. */
export type EdgeStart =
  | { readonly when: "done" }
  | { readonly when: "pipelined" }
  | { readonly when: "fraction"; readonly of: number };

/** A piece of work. */
export interface Task {
  readonly id: TaskId;
  readonly phase: PhaseId;
  /** The index within the phase, from 0; for a reduce, the partition it reads. */
  readonly index: number;
  /** Only in a first phase; a later phase's input follows from the outputs it reads. */
  readonly inputBytes?: number;
  /** The nodes that hold the task's input; if none, it may run anywhere without loss. */
  readonly replicas: readonly NodeId[];
  /**
   * The one node on which the first attempt may run, also before this node has joined. Any node
   * will do once this node is lost, or closed to the job. Later attempts run anywhere.
   */
  readonly firstOn?: NodeId;
  /** The stages of the task's progress score, in order; their shares sum to 1. */
  readonly stages: readonly Stage[];
}

export interface Stage {
  readonly name: string;
  /** The stage's share of the progress score, 0 to 1. */
  readonly share: number;
}

/** LATE §2.1: a map's score is the fraction of input read. */
export const MAP_STAGES: readonly Stage[] = [{ name: "map", share: 1 }];

/** LATE §2.1: copy, sort and reduce are a third of a reduce's score each. */
export const REDUCE_STAGES: readonly Stage[] = [
  { name: "copy", share: 1 / 3 },
  { name: "sort", share: 1 / 3 },
  { name: "reduce", share: 1 / 3 },
];

export type Locality = "node" | "rack" | "any";
