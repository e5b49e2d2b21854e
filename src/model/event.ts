import type { AttemptKind, Output } from "./attempt.ts";
import type { Node, SlotCounts } from "./cluster.ts";
import type { AttemptId, Instant, JobId, NodeId, RackId, RequestId, TaskId } from "./ids.ts";
import type { Job } from "./job.ts";
import type { ProgressSource } from "./progress.ts";

/** An event from a host: the core's only input. Time never runs backwards. */
export type ClusterEvent = { readonly at: Instant } & (
  | NodeEvent
  | JobEvent
  | AttemptEvent
  | OutputEvent
  | RefusalEvent
  | ({ readonly kind: "links-sampled"; readonly rack: RackId } & LinkSample)
  /** The sharing policy gets new pools or queues: a new value of one of its text parameters. */
  | { readonly kind: "sharing-tuned"; readonly parameter: string; readonly value: string }
  | { readonly kind: "woken" }
);

export type NodeEvent =
  /** A node joins or comes back; the stale attempts of a node that comes back are killed. */
  | { readonly kind: "node-joined"; readonly node: Node }
  /** A heartbeat was missed; reported once. */
  | { readonly kind: "node-silent"; readonly node: NodeId; readonly since: Instant }
  | { readonly kind: "node-heard"; readonly node: NodeId }
  | { readonly kind: "node-left"; readonly node: NodeId }
  /** The slots that the node has from now on. An attempt on a slot that is gone continues. */
  | { readonly kind: "node-resized"; readonly node: NodeId; readonly slots: SlotCounts }
  /** Replaces the free slots that the core holds for the node. */
  | { readonly kind: "slots-offered"; readonly node: NodeId; readonly free: SlotCounts };

export type JobEvent =
  | { readonly kind: "job-submitted"; readonly job: Job }
  | { readonly kind: "job-killed"; readonly job: JobId };

/**
 * Why an attempt failed. `bad-input`: the task's input is missing, or does not match its job's
 * description; a retry would read the same.
 */
export const FAILURE_CAUSES = ["error", "timeout", "output-unreadable", "bad-input"] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

export type AttemptEvent =
  /** Confirms a launch, or reports an attempt that the host started by itself. */
  | {
      readonly kind: "attempt-started";
      readonly attempt: AttemptId;
      readonly task: TaskId;
      readonly node: NodeId;
      readonly as: AttemptKind;
      readonly progress: ProgressSource;
      readonly request?: RequestId;
    }
  | {
      readonly kind: "attempt-progressed";
      readonly attempt: AttemptId;
      readonly progress: ProgressSource;
    }
  | { readonly kind: "attempt-succeeded"; readonly attempt: AttemptId; readonly output: Output }
  /** A failure counts towards the limit that ends a job. */
  | {
      readonly kind: "attempt-failed";
      readonly attempt: AttemptId;
      readonly cause: FailureCause;
    }
  /** A kill never counts. */
  | {
      readonly kind: "attempt-killed";
      readonly attempt: AttemptId;
      readonly by: "us" | "node-lost" | "host";
    };

export type OutputEvent =
  | {
      readonly kind: "fetch-failed";
      readonly reader: AttemptId;
      readonly output: TaskId;
      readonly from: NodeId;
    }
  | { readonly kind: "output-lost"; readonly task: TaskId; readonly node: NodeId }
  | { readonly kind: "output-replicated"; readonly task: TaskId; readonly node: NodeId };

export type RefusalEvent =
  | {
      readonly kind: "launch-refused";
      readonly attempt: AttemptId;
      readonly reason: string;
    }
  | { readonly kind: "request-refused"; readonly request: RequestId; readonly reason: string };

/** A rack's links, as Mantri's placement sees them. */
export interface LinkSample {
  readonly upBytesPerMs: number;
  readonly downBytesPerMs: number;
}
