import type { OnBadRecord } from "../../data/formats/malformed.ts";
import type { NarrowSource, PhaseResult, PreparedJobFile, TableFiles } from "../../data/index.ts";
import type { AttemptFailure } from "../../data/task/failure.ts";
import type { HeapLimits, TaskMeans } from "../../data/task/task-resources.ts";
import type { Params } from "../../job/index.ts";
import type { RackSeat } from "./racks/racks.ts";

export type { AttemptFailure } from "../../data/task/failure.ts";

/**
 * The messages between a master and its nodes, as JSON over the channel between parent and child.
 * Only control goes this way; data goes through files. Attempts and jobs have the core's numbers.
 */
export type ToNode =
  /** The first message: describes the node, which answers `ready`. */
  | {
      readonly kind: "start";
      readonly directory: string;
      /** The number of map threads, and also of reduce threads. */
      readonly slots: number;
      /** The limits of each thread's heap. */
      readonly heap: HeapLimits;
      /** The memory that all of the node's processes may use together. */
      readonly memoryBytes: number;
      readonly heartbeatMs: number;
      readonly taskTimeoutMs: number;
      /** Outputs of an earlier process of this node, to be checked. */
      readonly outputs: readonly KeptOutput[];
      /** Present where the racks' links have a limit. */
      readonly seat?: RackSeat;
    }
  | { readonly kind: "job"; readonly job: JobForNodes }
  | { readonly kind: "launch"; readonly attempt: number; readonly work: Work }
  /**
   * Ends the attempt and removes its files, even if it has just succeeded. The node answers
   * `killed`.
   */
  | { readonly kind: "kill"; readonly attempt: number }
  /**
   * Copies another node's output of an attempt, under the same number. The node answers `copied`
   * even if the copy fails.
   */
  | ({ readonly kind: "copy-output" } & KeptOutput)
  /** For the job's readers: the new locations of outputs, some of which may be nowhere. */
  | { readonly kind: "outputs"; readonly job: number; readonly found: readonly OutputLocation[] }
  /** Each reader of the job that still misses some of these outputs answers `missed`. */
  | { readonly kind: "who-misses"; readonly job: number; readonly sources: readonly number[] }
  /** The job is over: the node removes all of its files. */
  | { readonly kind: "forget"; readonly job: number }
  /**
   * The core took the node for dead: every attempt and every output goes. The node answers `ready`.
   */
  | { readonly kind: "start-anew" }
  | { readonly kind: "lose-outputs" }
  | { readonly kind: "fill-disk"; readonly full: boolean };

export type ToMaster =
  /** The attempts of `outputs` whose files are gone or damaged. The node heartbeats from now on. */
  | { readonly kind: "ready"; readonly unreadable: readonly number[] }
  | { readonly kind: "heartbeat"; readonly attempts: readonly AttemptProgress[] }
  | AttemptMessage
  | LateFailure
  | { readonly kind: "killed"; readonly attempt: number }
  /** Without a path, the copy failed. */
  | { readonly kind: "copied"; readonly attempt: number; readonly path?: string }
  /**
   * An attempt at work shows no sign of life; `place` is the user's file and line that it executes.
   */
  | {
      readonly kind: "still";
      readonly attempt: number;
      readonly forMs: number;
      readonly records: number;
      readonly place?: string;
    };

/** What an attempt's thread reports; the node passes it on unchanged. */
export type AttemptMessage =
  | { readonly kind: "started"; readonly attempt: number }
  | { readonly kind: "succeeded"; readonly attempt: number; readonly result: WorkResult }
  | { readonly kind: "failed"; readonly attempt: number; readonly failure: AttemptFailure }
  | {
      readonly kind: "fetch-failed";
      readonly attempt: number;
      readonly source: number;
      readonly path: string;
      readonly message: string;
    }
  /** A reader has not copied these outputs, and has no location for them. */
  | {
      readonly kind: "missed";
      readonly attempt: number;
      readonly sources: readonly number[];
    };

/** Code of an attempt that has succeeded lost an error after that: the job is to fail. */
export interface LateFailure {
  readonly kind: "failed-late";
  readonly attempt: number;
  readonly job: number;
  readonly failure: AttemptFailure;
}

/** What every thread needs to know of a job. */
export interface JobForNodes {
  readonly job: number;
  readonly file: PreparedJobFile;
  readonly params: Params;
  /** Whether a malformed record fails its attempt. */
  readonly onBadRecord: OnBadRecord;
  readonly means: TaskMeans;
}

/** The work of one attempt: a task of one of the program's phases. */
export interface Work {
  /** The kind of the slot. */
  readonly kind: "map" | "reduce";
  readonly job: number;
  /** The phase's number in the program. */
  readonly phase: number;
  /** The task's index in its phase. */
  readonly task: number;
  /** How many attempts of the task were launched before. */
  readonly begun: number;
  readonly reads: WorkReads;
  /** The rack of the split, if it is not the node's own. */
  readonly fromRack?: number;
  /** The partitions of the shuffle that the task writes. */
  readonly partitions: number;
  readonly tables: readonly TableFiles[];
  /** The file of the part; absent if the output stays on its node. */
  readonly part?: string;
}

export type WorkReads =
  | NarrowSource
  | {
      readonly kind: "shuffle";
      /** By side, the numbers of the source tasks, in the order of values. */
      readonly sources: readonly (readonly number[])[];
      /** The outputs that exist now; the others follow in `outputs` messages. */
      readonly found: readonly OutputLocation[];
    };

/** The current location of a task's output; without a path the output is nowhere. */
export interface OutputLocation {
  /** The task's number in its job. */
  readonly source: number;
  readonly path?: string;
}

export type WorkResult = PhaseResult;

export interface AttemptProgress {
  readonly attempt: number;
  readonly stage: number;
  readonly score: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly records: number;
  /** False while the attempt waits for map outputs. */
  readonly working: boolean;
}

/** An output that a node has, or had in an earlier process. */
export interface KeptOutput {
  readonly attempt: number;
  readonly job: number;
  readonly path: string;
  readonly checksum: string;
}
