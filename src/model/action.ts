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

/** What the core asks of its host. It takes effect through the event that reports it. */
export type Action =
  /** On a slot that was offered. */
  | {
      readonly kind: "launch";
      readonly attempt: AttemptId;
      readonly task: TaskId;
      readonly as: AttemptKind;
      readonly node: NodeId;
      /** Of the kinds that the phase accepts, the one that is taken. */
      readonly slot: SlotKind;
      readonly request?: RequestId;
      readonly why: Why;
    }
  /** Bound to a slot later; re-evaluated while it waits. */
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
      readonly why: Why;
    }
  /** Of a finished task. An old output that is left stays valid. */
  | { readonly kind: "recompute"; readonly task: TaskId; readonly why: Why }
  | { readonly kind: "replicate"; readonly task: TaskId; readonly to: RackId; readonly why: Why }
  /** Kept in the core's state; hosts have nothing to do. */
  | {
      readonly kind: "prefer";
      readonly task: TaskId;
      readonly nodes: readonly NodeId[];
      readonly racks: readonly RackId[];
      readonly why: Why;
    }
  | { readonly kind: "declare-lost"; readonly node: NodeId; readonly why: Why }
  /** The job is over: the host commits or cleans up, and the core forgets it. */
  | {
      readonly kind: "end-job";
      readonly job: JobId;
      readonly outcome: JobOutcome;
      readonly why: Why;
    }
  | { readonly kind: "wake"; readonly at: Instant }
  /** Nothing is done, and this is why. */
  | { readonly kind: "pass"; readonly task?: TaskId; readonly why: Why };

/** requeue: pre-emption, which must not use up Mantri's gamma. */
export type KillThen = "restart" | "requeue" | "nothing";

export type JobOutcome = "succeeded" | "failed" | "killed";

/** An action as a policy returns it: without the ids that the core gives out. */
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

/** What the core tells its policies beside the events. */
export type Notice = {
  readonly at: Instant;
} & (
  | {
      /** The job had a task for the slot, further from its data than the job may go now. */
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
  /** The job's first waiting task of the kind has come, or its last has gone. */
  | {
      readonly kind: "job-waits";
      readonly job: JobId;
      readonly slotKind: SlotKind;
      readonly waits: boolean;
    }
  /** A policy's own ask was carried out: budgets are charged here. */
  | { readonly kind: "acted"; readonly action: Action }
  | { readonly kind: "job-ended"; readonly job: JobId; readonly outcome: JobOutcome }
);
