import type { BadRecordCount } from "../data/formats/malformed.ts";
import type { JobMeasures } from "../measures/job-measures.ts";
import type { PhaseMeasures } from "../measures/phase-measures.ts";
import type { AttemptKind } from "../model/attempt.ts";
import type { FailureCause } from "../model/event.ts";
import type { MissedFault } from "../model/missed-fault.ts";
import type { Why } from "../model/why.ts";
import type { NamedEnd } from "./run-event.ts";

/** The result of a run; also written as `summary.json` beside the journal. */
export interface RunResult {
  readonly id: string;
  readonly job: string;
  readonly outcome: "succeeded" | "failed" | "killed";
  readonly discipline: string;
  readonly runDirectory: string;
  readonly journal: string;
  /**
   * The output directory; it exists only if the job succeeded. Empty if the run was aborted before
   * the job file was loaded.
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
  /** Malformed records that were skipped. */
  readonly badRecords: BadRecordCount;
  /** All attempts, in the order of launch. */
  readonly attempts: readonly AttemptFacts[];
  readonly totals: AttemptTotals;
  /** What the papers measure, as `why` has it; absent if no job was submitted. */
  readonly measures?: JobMeasures;
  readonly nodes: readonly NodeFacts[];
  /** Absent where the machine does not report memory. */
  readonly memory?: MemoryFacts;
  /** The tasks whose map outputs were lost, in the order of loss. */
  readonly outputsLost: readonly string[];
  /** Outputs that were copied to another node, in the order of time. */
  readonly outputsCopied: readonly CopyFacts[];
  /** The core's decisions to recompute an output, in the order of time. */
  readonly recomputes: readonly RecomputeFacts[];
  /** Injected faults that were due only after the job had ended. */
  readonly faultsMissed: readonly MissedFault[];
  /** Of a failed job: the last failure of the task that ended the job. */
  readonly failure?: Failure;
}

/** A finished task that runs again, since its output was lost or could not be fetched. */
export interface RecomputeFacts {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly task: string;
  readonly why: Why;
}

/** An output that a policy had copied, so that the output is nearer or outlives its node. */
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

/** The size and cost of a phase; a loop's phase sums all rounds. */
export interface PhaseFacts {
  readonly name: string;
  readonly tasks: number;
  readonly inputBytes: number;
  readonly inputRecords: number;
  readonly outputBytes: number;
  readonly outputRecords: number;
  /** Sorted runs that were written because memory was full. */
  readonly spills: number;
  /** Files that were merged from others before the last merge, because memory was full. */
  readonly merges: number;
  readonly skew: Skew;
  /** Speculative attempts that ended before the others of their task, and those that did not. */
  readonly copiesWon: number;
  readonly copiesLost: number;
  /** Slot time of all attempts, and of killed ones, in milliseconds. */
  readonly slotMs: number;
  readonly wastedMs: number;
  /** From the first launch to the last end, in milliseconds since the run began. */
  readonly from: number;
  readonly to: number;
  /** What Mantri measures of a phase, the mean over all rounds; absent if no task succeeded. */
  readonly measures?: PhaseMeasures;
}

/** Bytes that tasks read; a task that reads a shuffle reads its partition. */
export interface Skew {
  readonly largestBytes: number;
  readonly medianBytes: number;
  /** The largest over the median; 1 where there is nothing to read. */
  readonly factor: number;
}

/** The memory of all processes together: proportional set sizes, sampled now and then. */
export interface MemoryFacts {
  /** The promised limit above the base. */
  readonly promisedBytes: number;
  /** Measured when all nodes were ready and little work was done. */
  readonly baseBytes: number;
  readonly peakBytes: number;
}

export interface AttemptFacts {
  /** `job/phase/index#number` */
  readonly attempt: string;
  /** Its task, `job/phase/index`, and the phase. */
  readonly task: string;
  readonly phase: string;
  readonly as: AttemptKind;
  readonly node: string;
  /** Why the attempt was launched. */
  readonly why: Why;
  /** Milliseconds since the run began. */
  readonly launchedAt: number;
  readonly endedAt: number;
  /** For a lost attempt, up to the last word of its node. */
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
  /** Attempts lost with their nodes. */
  readonly lost: number;
  readonly recomputed: number;
  /** Slot time of killed, of failed and of lost attempts, in milliseconds. */
  readonly wastedMs: number;
  readonly failedMs: number;
  readonly lostSlotMs: number;
}

export interface NodeFacts {
  readonly name: string;
  readonly slowed?: SlowFacts;
  /** Milliseconds since the run began; absent if the node was not lost. */
  readonly lostAt?: number;
  /** A fault killed the node, and the node has not returned. Only the engine knows. */
  readonly killed?: true;
  /** How often the node's process ended by itself and was replaced. */
  readonly crashes: number;
}

/** How much a slowed node was really slowed. */
export interface SlowFacts {
  /** The requested factor, weighted by time. */
  readonly factor: number;
  /** CPU time of a working attempt elsewhere, over the CPU time of one here, in the same time. */
  readonly achieved: number;
  readonly forMs: number;
}

/** How the last attempt of a task failed. */
export interface Failure {
  readonly task: string;
  /** The node of the attempt. */
  readonly node: string;
  readonly cause: FailureCause;
  /** The user's record or key, and the exception of the user's code. */
  readonly message: string;
  /** The user's file and line. */
  readonly place?: string;
  readonly stack?: string;
}

/**
 * The job failed or was aborted; `result` has the details. The `cause` of an abort is the reason of
 * the signal.
 */
export class RunError extends Error {
  override readonly name = "RunError";
  /** Not a property of the error itself: Node prints those of an error that nobody has caught. */
  readonly #result: RunResult;

  constructor(message: string, result: RunResult, options?: ErrorOptions) {
    super(message, options);
    this.#result = result;
  }

  get result(): RunResult {
    return this.#result;
  }
}
