import type { BadRecordCount } from "../data/formats/malformed.ts";
import type { AttemptKind } from "../model/attempt.ts";
import type { FailureCause } from "../model/event.ts";
import type { Why } from "../model/why.ts";
import type { NamedEnd } from "./run-event.ts";

/** What a run came to; also written as `summary.json` beside the journal. */
export interface RunResult {
  readonly id: string;
  readonly job: string;
  readonly outcome: "succeeded" | "failed" | "killed";
  readonly discipline: string;
  readonly runDirectory: string;
  readonly journal: string;
  /**
   * The output directory; it exists only if the job succeeded. Empty if the run was aborted before
   * the job file had told it.
   */
  readonly output: string;
  readonly parts: readonly Part[];
  /** From the job's submission to its end, commit included. */
  readonly responseMs: number;
  /** From the start of the run, processes included. */
  readonly wallMs: number;
  readonly phases: readonly PhaseFacts[];
  /** The user's counters, of winning attempts only. */
  readonly counters: Readonly<Record<string, number>>;
  /** Malformed records that were passed over. */
  readonly badRecords: BadRecordCount;
  /** All attempts, in the order of launch. */
  readonly attempts: readonly AttemptFacts[];
  readonly totals: AttemptTotals;
  readonly nodes: readonly NodeFacts[];
  /** Absent where the machine does not tell. */
  readonly memory?: MemoryFacts;
  /** Map outputs that were lost, as tasks, in the order of loss. */
  readonly outputsLost: readonly string[];
  /** Outputs of which another node has a copy since, in the order of time. */
  readonly outputsCopied: readonly CopyFacts[];
  /** Outputs that the core decided to have made again, in the order of time. */
  readonly recomputes: readonly RecomputeFacts[];
  /** Of a job that failed: the last failure of the task that failed for good. */
  readonly failure?: Failure;
}

/** A finished task that is run again, since its output was lost or could not be fetched. */
export interface RecomputeFacts {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly task: string;
  readonly why: Why;
}

/** An output that a policy had copied, so that it is nearer or outlives its node. */
export interface CopyFacts {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly task: string;
  readonly node: string;
  readonly bytes: number;
}

/** One committed file of the output. */
export interface Part {
  readonly path: string;
  readonly bytes: number;
  readonly records: number;
  readonly checksum: string;
}

/** What a phase was and what it cost; a loop's is of all rounds together. */
export interface PhaseFacts {
  readonly name: string;
  readonly tasks: number;
  readonly inputBytes: number;
  readonly inputRecords: number;
  readonly outputBytes: number;
  readonly outputRecords: number;
  /** Sorted runs that were written for want of memory. */
  readonly spills: number;
  /** Files that were merged of others, for want of memory, before the last merge. */
  readonly merges: number;
  readonly skew: Skew;
  /** Speculative attempts that ended first, and those that did not. */
  readonly copiesWon: number;
  readonly copiesLost: number;
  /** Slot time of all attempts, and of those that were killed, in milliseconds. */
  readonly slotMs: number;
  readonly wastedMs: number;
  /** From the first launch to the last end, in milliseconds since the run began. */
  readonly from: number;
  readonly to: number;
}

/** Bytes that tasks read: of one that reads a shuffle, its partition. */
export interface Skew {
  readonly largestBytes: number;
  readonly medianBytes: number;
  /** The largest over the median; 1 where there is nothing to read. */
  readonly factor: number;
}

/** Of all processes together: proportional set sizes, looked at now and then. */
export interface MemoryFacts {
  /** Most that they were to hold above the base. */
  readonly promisedBytes: number;
  /** When all nodes were there and little had been done. */
  readonly baseBytes: number;
  readonly peakBytes: number;
}

export interface AttemptFacts {
  readonly attempt: string;
  readonly as: AttemptKind;
  readonly node: string;
  /** Why it was launched. */
  readonly why: Why;
  /** Milliseconds since the run began. */
  readonly launchedAt: number;
  readonly endedAt: number;
  /** Of a lost attempt, to the last word of its node. */
  readonly slotMs: number;
  readonly end: NamedEnd;
}

export interface AttemptTotals {
  readonly launched: number;
  readonly speculative: number;
  /** Tasks whose speculative attempt ended first. */
  readonly speculativeWon: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly killed: number;
  /** With their nodes. */
  readonly lost: number;
  readonly recomputed: number;
  /** Slot time of killed attempts, in milliseconds; of failed ones; of lost ones. */
  readonly wastedMs: number;
  readonly failedMs: number;
  readonly lostMs: number;
}

export interface NodeFacts {
  readonly name: string;
  readonly slowed?: SlowFacts;
  /** Milliseconds since the run began; absent if it was not lost. */
  readonly lostAt?: number;
  /** Processes of it that ended by themselves, and were replaced. */
  readonly crashes: number;
}

/** How slow a slowed node really was. */
export interface SlowFacts {
  /** As asked for, weighted by time. */
  readonly factor: number;
  /** CPU time of a working attempt elsewhere, over the CPU time of one here, in the same time. */
  readonly achieved: number;
  readonly forMs: number;
}

/** How the last attempt of a task failed. */
export interface Failure {
  readonly task: string;
  /** Where the attempt ran. */
  readonly node: string;
  readonly cause: FailureCause;
  /** Of the user's code: at which record or key, and what it threw. */
  readonly message: string;
  /** The user's file and line. */
  readonly place?: string;
  readonly stack?: string;
}

/** The job failed, or was aborted; `result` tells the whole story. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly result: RunResult;

  constructor(message: string, result: RunResult) {
    super(message);
    this.result = result;
  }
}
