import type { JobOutcome, KillThen } from "./action.ts";
import type { AttemptKind, Output, Where } from "./attempt.ts";
import type { Node } from "./cluster.ts";
import type { FailureCause } from "./event.ts";
import type { AttemptId, Instant, JobId, NodeId, RequestId, SlotKind, TaskId } from "./ids.ts";
import type { Job, Locality } from "./job.ts";
import type { Why } from "./why.ts";

/**
 * A fact that a step of the core made true; facts come in the order in which they became true.
 * Attempt logs, pictures, tallies and summaries are folds over facts, so that none of them infers
 * an end by itself.
 */
export type Fact = { readonly at: Instant } & (
  | NodeFact
  | JobFact
  | AttemptFact
  | OutputFact
  | RequestFact
);

export type NodeFact =
  /** `again`: the node had joined before; its earlier attempts have ended already. */
  | { readonly kind: "node-joined"; readonly node: Node; readonly again: boolean }
  | { readonly kind: "node-silent"; readonly node: NodeId; readonly since: Instant }
  | { readonly kind: "node-heard"; readonly node: NodeId }
  /**
   * The ends of the node's attempts and the losses of its outputs follow. `why` is absent if the
   * host reported that the node left.
   */
  | { readonly kind: "node-lost"; readonly node: NodeId; readonly why?: Why };

export type JobFact =
  | { readonly kind: "job-submitted"; readonly job: Job }
  /** Sharing has admitted the job. */
  | { readonly kind: "job-begun"; readonly job: JobId }
  | {
      readonly kind: "job-ended";
      readonly job: JobId;
      readonly outcome: JobOutcome;
      readonly why: Why;
    };

/** The attempt that a fact is about. */
export interface FactAttempt {
  readonly attempt: AttemptId;
  readonly task: TaskId;
  readonly node: NodeId;
  readonly as: AttemptKind;
  readonly launchedAt: Instant;
}

export type AttemptFact =
  /** The attempt holds a slot from now on. `why` is undefined if the host launched it by itself. */
  | (FactAttempt & {
      readonly kind: "attempt-launched";
      readonly slot: SlotKind;
      /** undefined if the task has no replicas. */
      readonly locality: Locality | undefined;
      readonly request: RequestId | undefined;
      readonly why: Why | undefined;
    })
  /** `presumed`: the node fell silent before it confirmed the start. */
  | (FactAttempt & {
      readonly kind: "attempt-started";
      readonly startedAt: Instant;
      readonly presumed: boolean;
    })
  /**
   * The core has asked for the attempt's end. The attempt holds its slot until `attempt-ended`.
   * `score`: its progress at this moment, 0 to 1.
   */
  | (FactAttempt & {
      readonly kind: "attempt-dying";
      readonly startedAt: Instant | undefined;
      readonly score: number;
      readonly then: KillThen;
      readonly why: Why;
    })
  /** The attempt's slot is free. */
  | (FactAttempt & {
      readonly kind: "attempt-ended";
      readonly startedAt: Instant | undefined;
      readonly end: AttemptEnd;
    });

/** How an attempt ended; each ends in exactly one way. */
export type AttemptEnd =
  | { readonly how: "succeeded"; readonly output: Output }
  | { readonly how: "failed"; readonly cause: FailureCause }
  /** `since`: when the core asked for the end. */
  | {
      readonly how: "killed";
      readonly by: "core";
      readonly then: KillThen;
      readonly why: Why;
      readonly since: Instant;
    }
  | { readonly how: "killed"; readonly by: "host" }
  /** Lost with its node, or with the node's process. `since`: when the node was last heard. */
  | { readonly how: "lost"; readonly since: Instant }
  /** The host could not launch the attempt: it never ran. */
  | { readonly how: "refused" };

export type OutputFact =
  /** `again`: the task had succeeded before. */
  | {
      readonly kind: "output-made";
      readonly task: TaskId;
      readonly attempt: AttemptId;
      readonly node: NodeId;
      readonly output: Output;
      readonly again: boolean;
    }
  | { readonly kind: "output-copied"; readonly task: TaskId; readonly node: NodeId }
  /** A copy of the output was lost. `copiesLeft`: 0 if no node holds one any more. */
  | {
      readonly kind: "output-lost";
      readonly task: TaskId;
      readonly node: NodeId;
      readonly copiesLeft: number;
    }
  /** A finished task must run again: its output is lost and needed. */
  | { readonly kind: "task-reopened"; readonly task: TaskId; readonly why: Why };

export type RequestFact =
  | {
      readonly kind: "request-made";
      readonly request: RequestId;
      readonly task: TaskId;
      readonly as: AttemptKind;
      readonly where: Where;
      readonly why: Why;
    }
  | {
      readonly kind: "request-ended";
      readonly request: RequestId;
      readonly task: TaskId;
      readonly how: "bound" | "withdrawn" | "refused";
      /** The reason of a withdrawal. */
      readonly why?: Why;
    };

/**
 * When the node of an ended attempt was last heard before the end: at the end itself, unless the
 * attempt was lost. What a lost attempt did after that moment is unknown.
 */
export function heardAt({ at, end, launchedAt }: AttemptEnded): number {
  return end.how === "lost" ? Math.max(end.since, launchedAt) : at;
}

/** The slot time of an ended attempt: from its launch until it was last heard of. */
export const slotMs = (ended: AttemptEnded): number => heardAt(ended) - ended.launchedAt;

/**
 * The end of an attempt that is still open where the record of its run ends. If its job has ended,
 * the core had asked for its end by then, and only the report of it is missing: it counts as killed
 * at the end of its job. Else it is cut off at the end of the record.
 */
export function openEnd({
  jobEndedAt,
  recordEndsAt,
}: {
  readonly jobEndedAt: number | undefined;
  readonly recordEndsAt: number;
}): { readonly ended: "killed" | "cut-off"; readonly endedAt: number } {
  return jobEndedAt === undefined
    ? { ended: "cut-off", endedAt: recordEndsAt }
    : { ended: "killed", endedAt: jobEndedAt };
}

export type OutputMade = Extract<Fact, { readonly kind: "output-made" }>;

export type AttemptEnded = Extract<Fact, { readonly kind: "attempt-ended" }>;
