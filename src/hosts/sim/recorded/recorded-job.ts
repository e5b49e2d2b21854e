import type { RandomState } from "../../../base/random.ts";
import type { AttemptKind } from "../../../model/attempt.ts";
import type { Fault } from "../../../model/fault.ts";
import type { EdgeStart, Stage } from "../../../model/job.ts";
import type { ProfileStep } from "../profile.ts";

/**
 * A job that ran somewhere, as plain data, to be run again under any discipline. Times count from
 * the job's submission, in ms. A recorded duration is a product of contention, so the attempts
 * share nothing but slots.
 */
export interface RecordedJob {
  readonly name: string;
  /** Names of the kinds of slot; policies take the first kind for map slots. */
  readonly slotKinds: readonly string[];
  readonly nodes: readonly RecordedNode[];
  /** In topological order. */
  readonly phases: readonly RecordedPhase[];
  /** The faults of the job's nodes; none if left out. */
  readonly faults?: readonly Fault[];
  /** From the end of the last task to the end of the job: a commit. 0 if left out. */
  readonly tailMs?: number;
}

export interface RecordedNode {
  /** Unique. */
  readonly name: string;
  /** All nodes without a rack share one rack. */
  readonly rack?: string;
  /** How many times slower than normal the node is; 1 if left out. */
  readonly factor?: number;
  readonly slots: readonly RecordedSlots[];
}

/** Slots of a node that come and go together: the cores of an executor. */
export interface RecordedSlots {
  /** One of the job's kinds. */
  readonly kind: string;
  readonly count: number;
  /** 0 if left out. A node joins when its first slots come. */
  readonly fromMs?: number;
  /**
   * Left out: to the end. A slot that goes takes no new attempt, while its running attempt
   * continues. The last slots of a node stay for the tasks that are pinned to the node, and the
   * last of a kind stay for ever.
   */
  readonly untilMs?: number;
}

export interface RecordedPhase {
  /** Unique within the job. */
  readonly name: string;
  /** The kinds of slot that the phase's tasks may take. */
  readonly slots: readonly string[];
  /** The phases that it reads, by their index. */
  readonly reads: readonly { readonly phase: number; readonly start: EdgeStart }[];
  /**
   * The phase's gap: from when the edges allow the phase to begin until it begins; 0 if left out.
   */
  readonly gapMs?: number;
  /** Whether tasks of the phase may be copied; true if left out. */
  readonly speculate?: boolean;
  /** One stage if left out. */
  readonly stages?: readonly Stage[];
  readonly tasks: readonly RecordedTask[];
  /** An attempt beyond those of the task: it depends on `attempt` alone. */
  further(attempt: FurtherAttempt): RecordedAttempt;
}

export interface RecordedTask {
  readonly inputBytes?: number;
  /** Names of the nodes with the task's input; none if left out. */
  readonly replicas?: readonly string[];
  /** The name of the node on which the first attempt must run; any node if left out. */
  readonly firstOn?: string;
  /**
   * The first attempt and its successors, in order, without copies: each follows when the one
   * before it has ended by itself. An attempt that takes the place of one that a policy stopped is
   * a further one.
   */
  readonly attempts: readonly RecordedAttempt[];
  /** The copies in order. */
  readonly copies?: readonly RecordedAttempt[];
}

export interface RecordedAttempt {
  /**
   * From the attempt's beginning to its end, if it succeeds; at factor 1 where its node slows it.
   */
  readonly workMs: number;
  /**
   * The task waits for this long before it may be launched, and holds no slot: from the beginning
   * of its phase, or from the end of its attempt before; 0 if left out. Not of a copy.
   */
  readonly unlaunchedMs?: number;
  /** The attempt holds its slot for this long before it begins; 0 if left out. */
  readonly waitMs?: number;
  /** The attempt fails when it has worked for this long; if left out, it succeeds. */
  readonly failsAfterMs?: number;
  /**
   * The cluster ends the attempt when it has worked for this long: the task runs again, and no
   * failure is counted, neither of the task nor of the node.
   */
  readonly evictedAfterMs?: number;
  /**
   * Whether a slow node takes longer; false if left out: the recorded time includes the node's
   * speed.
   */
  readonly slowedByNode?: boolean;
  /** Whether its work begins only when all that the phase reads is done; false if left out. */
  readonly heldByReads?: boolean;
  /** 0 if left out. */
  readonly records?: number;
  /** How the attempt's score rises; evenly if left out. */
  readonly steps?: readonly ProfileStep[];
}

/** An attempt that the record does not have. */
export interface FurtherAttempt {
  /** The index of the task. */
  readonly task: number;
  readonly as: AttemptKind;
  /** The number of the task's attempts before this one, copies among them. */
  readonly ordinal: number;
  /** The number of copies among these attempts. */
  readonly copies: number;
  /** The recorded attempt beside which it runs, or in whose place: an index of `attempts`. */
  readonly of: number;
  /** Of a copy: how long until the attempt beside it ends without a result; 0 if it does not. */
  readonly leftMs: number;
  /** The attempt's own random stream: it depends on the run's seed and on the fields above. */
  readonly chance: RandomState;
}
