import type { AttemptKind, Where } from "./attempt.ts";
import type {
  AttemptId,
  Instant,
  JobId,
  NodeId,
  RackId,
  RequestId,
  SlotKind,
  TaskId,
} from "./ids.ts";
import type { Locality } from "./job.ts";
import type { Why } from "./why.ts";

/**
 * An action that the core asks of its host. An action takes effect through the event that reports
 * it.
 */
export type Action =
  /** A launch on a slot that was offered. */
  | {
      readonly kind: "launch";
      readonly attempt: AttemptId;
      readonly task: TaskId;
      readonly as: AttemptKind;
      readonly node: NodeId;
      /** The slot kind that the launch takes, among those that the phase accepts. */
      readonly slot: SlotKind;
      readonly request?: RequestId | undefined;
      readonly why: Why;
    }
  /** A request for a copy: bound to a slot later, and reviewed while it waits. */
  | {
      readonly kind: "request";
      readonly request: RequestId;
      readonly task: TaskId;
      readonly as: AttemptKind;
      readonly where: Where;
      readonly why: Why;
    }
  | { readonly kind: "withdraw"; readonly request: RequestId; readonly why: Why }
  | {
      readonly kind: "kill";
      readonly attempt: AttemptId;
      readonly then: KillThen;
      /** The waiting task that gets the next free slot of the attempt's kind on its node. */
      readonly for?: TaskId | undefined;
      readonly why: Why;
    }
  /** Run a finished task again. An old output that still exists stays valid. */
  | { readonly kind: "recompute"; readonly task: TaskId; readonly why: Why }
  | { readonly kind: "replicate"; readonly task: TaskId; readonly to: RackId; readonly why: Why }
  /** A preference that the core keeps in its state; hosts need not act. */
  | {
      readonly kind: "prefer";
      readonly task: TaskId;
      readonly nodes: readonly NodeId[];
      readonly racks: readonly RackId[];
      readonly why: Why;
    }
  | { readonly kind: "declare-lost"; readonly node: NodeId; readonly why: Why }
  /** The job is over: the host commits or cleans up, and the core forgets the job. */
  | {
      readonly kind: "end-job";
      readonly job: JobId;
      readonly outcome: JobOutcome;
      readonly why: Why;
    }
  | { readonly kind: "wake"; readonly at: Instant }
  /** No action is taken, for this reason. */
  | { readonly kind: "pass"; readonly task?: TaskId; readonly why: Why };

/** requeue: for pre-emption, which must not use up Mantri's gamma. */
export type KillThen = "restart" | "requeue" | "nothing";

export type JobOutcome = "succeeded" | "failed" | "killed";

/** An action as a policy returns it: without the ids that the core assigns. */
export type Ask =
  | {
      readonly kind: "launch";
      readonly task: TaskId;
      readonly as: AttemptKind;
      readonly node: NodeId;
      readonly why: Why;
    }
  | {
      readonly kind: "request";
      readonly task: TaskId;
      readonly as: AttemptKind;
      readonly where: Where;
      readonly why: Why;
    }
  | Exclude<Action, { kind: "launch" | "request" | "declare-lost" | "end-job" }>;

/** The slot that a policy is asked about. */
export interface Slot {
  readonly node: NodeId;
  readonly kind: SlotKind;
}

/** A notice from the core to its policies, besides the events. */
export type Notice = {
  readonly at: Instant;
} & (
  | {
      /**
       * The job had a task for the slot, but farther from the task's data than the job may go now.
       */
      readonly kind: "slot-declined";
      readonly job: JobId;
      readonly slot: Slot;
      readonly allowed: Locality;
    }
  | {
      readonly kind: "attempt-assumed";
      readonly attempt: AttemptId;
      readonly locality: Locality;
    }
  | { readonly kind: "assumption-undone"; readonly attempt: AttemptId }
  | { readonly kind: "node-lost"; readonly node: NodeId }
  /** The job's first task of the kind has begun to wait, or its last has stopped. */
  | {
      readonly kind: "job-waits";
      readonly job: JobId;
      readonly slotKind: SlotKind;
      readonly waits: boolean;
    }
  /** The policy's own ask was carried out: policies charge their budgets here. */
  | { readonly kind: "acted"; readonly action: Action }
  | { readonly kind: "job-ended"; readonly job: JobId; readonly outcome: JobOutcome }
);
