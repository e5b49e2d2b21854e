import type { AttemptId, Instant, NodeId, RackId, RequestId, TaskId } from "./ids.ts";
import type { ProgressSource } from "./progress.ts";

/**
 * Why an attempt was launched. speculative: a copy beside a running attempt; restart: killed to run
 * again; retry: after a failure; rerun: after a kill that was no restart (node lost, pre-empted,
 * killed by the host); recompute: the output of a finished task was lost.
 */
export const ATTEMPT_KINDS = [
  "original",
  "speculative",
  "restart",
  "retry",
  "rerun",
  "recompute",
] as const;
export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

/** assumed: launched by the core, not yet confirmed; dying: being killed, still on its slot. */
export type AttemptState = "assumed" | "running" | "dying" | "succeeded" | "failed" | "killed";

/** One run of one task on one node. */
export interface Attempt {
  readonly id: AttemptId;
  readonly task: TaskId;
  readonly node: NodeId;
  readonly as: AttemptKind;
  readonly launchedAt: Instant;
  readonly startedAt?: Instant | undefined;
  readonly endedAt?: Instant | undefined;
  readonly state: AttemptState;
  /** Dropped in the step after the attempt's end. */
  readonly progress?: ProgressSource | undefined;
}

/** The output of a successful attempt. */
export interface Output {
  readonly bytes: number;
  readonly records: number;
  /** Bytes for each task of the phase that reads the output: Mantri 5.2's I[n][r]. */
  readonly byPartition?: readonly number[];
}

/**
 * Where a requested copy may run. `only` lists nodes in order of preference: of those with a free
 * slot, the core asks the first in the list first.
 */
export type Where =
  | { readonly on: "any" }
  | { readonly on: "only"; readonly nodes: readonly NodeId[] }
  | { readonly on: "all-but"; readonly nodes: readonly NodeId[] };

/** A copy that waits for a slot. */
export interface Request {
  readonly id: RequestId;
  readonly task: TaskId;
  readonly as: AttemptKind;
  readonly where: Where;
  readonly madeAt: Instant;
}

/** Mantri 5.2: where a waiting task should run. */
export interface Preference {
  readonly nodes: readonly NodeId[];
  readonly racks: readonly RackId[];
}

export const admits = (where: Where, node: NodeId): boolean =>
  where.on === "any" || where.nodes.includes(node) === (where.on === "only");
