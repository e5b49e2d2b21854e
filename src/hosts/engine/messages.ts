import type { Params } from "../../job/index.ts";
import type { MapOutput, PartFile, PreparedJobFile, Split } from "./data/index.ts";

/**
 * What a master and its nodes say to each other, as JSON over the channel between parent and child.
 * Only control goes this way; data goes through files. Attempts and jobs are numbered as in the
 * core.
 */
export type ToNode =
  /** The first message: what the node is. It answers `ready`. */
  | {
      readonly kind: "be";
      readonly directory: string;
      /** Threads for maps, and as many for reduces. */
      readonly slots: number;
      readonly heartbeatMs: number;
      readonly taskTimeoutMs: number;
      /** Outputs of an earlier process of this node, to be checked. */
      readonly outputs: readonly KeptOutput[];
    }
  | { readonly kind: "job"; readonly job: JobForNodes }
  | { readonly kind: "launch"; readonly attempt: number; readonly work: Work }
  /**
   * Ends the attempt and removes what it left, even if it has just succeeded. It answers `killed`.
   */
  | { readonly kind: "kill"; readonly attempt: number }
  /** For the job's reduces: where outputs are from now on, and which are nowhere. */
  | { readonly kind: "outputs"; readonly job: number; readonly found: readonly MapLocation[] }
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
  | { readonly kind: "started"; readonly attempt: number }
  | { readonly kind: "succeeded"; readonly attempt: number; readonly result: WorkResult }
  | { readonly kind: "failed"; readonly attempt: number; readonly failure: AttemptFailure }
  | { readonly kind: "killed"; readonly attempt: number }
  | {
      readonly kind: "fetch-failed";
      readonly attempt: number;
      readonly map: number;
      readonly path: string;
      readonly message: string;
    };

/** What every thread needs to know of a job. */
export interface JobForNodes {
  readonly job: number;
  readonly file: PreparedJobFile;
  readonly params: Params;
  readonly maps: number;
  readonly reduces: number;
}

export type Work = MapWork | ReduceWork;

export interface MapWork {
  readonly kind: "map";
  readonly job: number;
  readonly split: Split;
  /** How often the task was begun before. */
  readonly begun: number;
  /** Of a job that only maps: where its part file goes. */
  readonly part?: string;
}

export interface ReduceWork {
  readonly kind: "reduce";
  readonly job: number;
  readonly partition: number;
  readonly begun: number;
  readonly part: string;
  /** The outputs that there are; the others are told of as they come. */
  readonly found: readonly MapLocation[];
}

/** Where a map's output is now; without a path, nowhere. */
export interface MapLocation {
  readonly map: number;
  readonly path?: string;
}

export type WorkResult =
  | { readonly kind: "map-output"; readonly output: MapOutput }
  | { readonly kind: "part"; readonly part: PartFile };

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

export interface AttemptFailure {
  readonly cause: "error" | "timeout" | "output-unreadable";
  readonly message: string;
  /** The user's file and line. */
  readonly place?: string;
  readonly stack?: string;
}

/** A map output that an earlier process of the node has left. */
export interface KeptOutput {
  readonly attempt: number;
  readonly job: number;
  readonly path: string;
  readonly checksum: string;
}
