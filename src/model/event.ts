import type { AttemptKind, Output } from "./attempt.ts";
import type { Node, SlotCounts } from "./cluster.ts";
import type { AttemptId, Instant, JobId, NodeId, RackId, RequestId, TaskId } from "./ids.ts";
import type { Job } from "./job.ts";
import type { ProgressSource } from "./progress.ts";

/** What a host tells the core: the only way in. Time never runs backwards. */
export type ClusterEvent = { readonly at: Instant } & (
  | NodeEvent
  | JobEvent
  | AttemptEvent
  | OutputEvent
  | RefusalEvent
  | ({ readonly kind: "links-sampled"; readonly rack: RackId } & LinkSample)
  /** Its pools or queues are others from now on: a text parameter of the sharing policy. */
  | { readonly kind: "sharing-tuned"; readonly parameter: string; readonly value: string }
  | { readonly kind: "woken" }
);

export type NodeEvent =
  /** Also a node that comes back: its stale attempts are killed. */
  | { readonly kind: "node-joined"; readonly node: Node }
  /** A heartbeat was missed; said once. */
  | { readonly kind: "node-silent"; readonly node: NodeId; readonly since: Instant }
  | { readonly kind: "node-heard"; readonly node: NodeId }
  | { readonly kind: "node-left"; readonly node: NodeId }
  /** Replaces the free slots that the core holds for the node. */
  | { readonly kind: "slots-offered"; readonly node: NodeId; readonly free: SlotCounts };

export type JobEvent =
  | { readonly kind: "job-submitted"; readonly job: Job }
  | { readonly kind: "job-killed"; readonly job: JobId };

/**
 * Why an attempt failed. `bad-input`: what the task is to read is not what its job says it is, or
 * is gone; a retry reads the same.
 */
export const FAILURE_CAUSES = ["error", "timeout", "output-unreadable", "bad-input"] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

export type AttemptEvent =
  /** Confirms a launch, or tells of an attempt that the host started by itself. */
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
  /** Counts towards the failures that end a job. */
  | {
      readonly kind: "attempt-failed";
      readonly attempt: AttemptId;
      readonly cause: FailureCause;
    }
  /** Never counts. */
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

/** What Mantri's placement knows of a rack's links. */
export interface LinkSample {
  readonly upBytesPerMs: number;
  readonly downBytesPerMs: number;
}
