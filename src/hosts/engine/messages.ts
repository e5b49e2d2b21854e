import type { OnBadRecord } from "../../data/formats/malformed.ts";
import type { NarrowSource, PhaseResult, PreparedJobFile, TableFiles } from "../../data/index.ts";
import type { AttemptFailure } from "../../data/task/failure.ts";
import type { HeapLimits, TaskMeans } from "../../data/task/task-resources.ts";
import type { Params } from "../../job/index.ts";
import type { RackSeat } from "./racks/racks.ts";

export type { AttemptFailure } from "../../data/task/failure.ts";

/**
 * What a master and its nodes say to each other, as JSON over the channel between parent and child.
 * Only control goes this way; data goes through files. Attempts and jobs are numbered as in the
 * core.
 */
export type ToNode =
  /** The first message: what the node is. It answers `ready`. */
  | {
      readonly kind: "start";
      readonly directory: string;
      /** Threads for maps, and as many for reduces. */
      readonly slots: number;
      /** Of each of these. */
      readonly heap: HeapLimits;
      /** What all processes may hold together. */
      readonly memoryBytes: number;
      readonly heartbeatMs: number;
      readonly taskTimeoutMs: number;
      /** Outputs of an earlier process of this node, to be checked. */
      readonly outputs: readonly KeptOutput[];
      /** Where racks' links have a limit. */
      readonly seat?: RackSeat;
    }
  | { readonly kind: "job"; readonly job: JobForNodes }
  | { readonly kind: "launch"; readonly attempt: number; readonly work: Work }
  /**
   * Ends the attempt and removes what it left, even if it has just succeeded. It answers `killed`.
   */
  | { readonly kind: "kill"; readonly attempt: number }
  /**
   * Copies an attempt's output of another node, under the same number: it answers `copied`, be it
   * in vain.
   */
  | ({ readonly kind: "copy-output" } & KeptOutput)
  /** For the job's readers: where outputs are from now on, and which are nowhere. */
  | { readonly kind: "outputs"; readonly job: number; readonly found: readonly OutputLocation[] }
  /** Each reader of the job that still misses some of these outputs answers `missed`. */
  | { readonly kind: "who-misses"; readonly job: number; readonly sources: readonly number[] }
  /** The job is over: all that is left of it goes. */
  | { readonly kind: "forget"; readonly job: number }
  /** The node was taken for dead: every attempt and every output goes. It answers `ready`. */
  | { readonly kind: "start-anew" }
  | { readonly kind: "lose-outputs" }
  | { readonly kind: "fill-disk"; readonly full: boolean };

export type ToMaster =
  /** Attempts of `be` whose outputs are gone or damaged. It heartbeats from now on. */
  | { readonly kind: "ready"; readonly unreadable: readonly number[] }
  | { readonly kind: "heartbeat"; readonly attempts: readonly AttemptProgress[] }
  | AttemptMessage
  | { readonly kind: "killed"; readonly attempt: number }
  /** Without a path, in vain. */
  | { readonly kind: "copied"; readonly attempt: number; readonly path?: string }
  /** An attempt at work shows no sign of life; `place`: the user's file and line, where it is. */
  | {
      readonly kind: "still";
      readonly attempt: number;
      readonly forMs: number;
      readonly records: number;
      readonly place?: string;
    };

/** What an attempt's thread reports; the node passes it on as it is. */
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
  /** A reader has not copied these outputs, and knows no place of them. */
  | {
      readonly kind: "missed";
      readonly attempt: number;
      readonly sources: readonly number[];
    };

/** What every thread needs to know of a job. */
export interface JobForNodes {
  readonly job: number;
  readonly file: PreparedJobFile;
  readonly params: Params;
  /** Whether a malformed record fails its attempt. */
  readonly onBadRecord: OnBadRecord;
  readonly means: TaskMeans;
}

/** What one attempt is to do: a task of one of the program's phases. */
export interface Work {
  /** Of the slot. */
  readonly kind: "map" | "reduce";
  readonly job: number;
  /** The phase's number in the program. */
  readonly phase: number;
  /** The task's index in its phase. */
  readonly task: number;
  /** How often the task was begun before. */
  readonly begun: number;
  readonly reads: WorkReads;
  /** The rack in which the split lies, if it is none of the node's own. */
  readonly fromRack?: number;
  /** Of the shuffle that it writes. */
  readonly partitions: number;
  readonly tables: readonly TableFiles[];
  /** Where a part goes; absent: what it writes stays with its node. */
  readonly part?: string;
}

export type WorkReads =
  | NarrowSource
  | {
      readonly kind: "shuffle";
      /** By side, the numbers of the tasks whose outputs it reads, in the order of values. */
      readonly sources: readonly (readonly number[])[];
      /** The outputs that there are; the others are told of as they come. */
      readonly found: readonly OutputLocation[];
    };

/** Where a task's output is now; without a path, nowhere. */
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
  /** False while it waits for map outputs. */
  readonly working: boolean;
}

/** An output that a node has, or had in an earlier process. */
export interface KeptOutput {
  readonly attempt: number;
  readonly job: number;
  readonly path: string;
  readonly checksum: string;
}
