import {
  attemptId,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  slotKind,
  taskId,
} from "../../src/core/index.ts";
import type { ClusterEvent, Job, Phase, ProgressSource } from "../../src/policy/index.ts";
import type { AttemptBook, Books, JobBook, Kind, NodeBook, PhaseBook } from "./books.ts";

/** The books' events, in the form of the scheduler's interface. */
export type Told = ClusterEvent extends infer E
  ? E extends { at: unknown }
    ? Omit<E, "at">
    : never
  : never;

/** What a node tells of itself. */
type Machine = Pick<NodeBook, "id" | "name" | "rack" | "slots">;

export const joined = (node: Machine): Told => ({
  kind: "node-joined",
  node: {
    id: nodeId(node.id),
    name: node.name,
    rack: rackId(node.rack),
    slots: node.slots.map((count, kind) => ({ kind: slotKind(kind), count })),
  },
});

export const submitted = (job: JobBook): Told => ({ kind: "job-submitted", job: describe(job) });

const PRIORITIES = ["very-high", "high", "normal", "low", "very-low"] as const;

function describe(job: JobBook): Job {
  return {
    id: jobId(job.id),
    name: `job-${job.id}`,
    user: job.user,
    pool: job.pool,
    priority: PRIORITIES[job.priority] ?? "normal",
    submittedAt: instant(job.submittedAt),
    speculate: job.speculate,
    phases: job.phases.map(describePhase),
  };
}

const describePhase = (phase: PhaseBook): Phase => ({
  id: phaseId(phase.id),
  name: `phase-${phase.id}`,
  job: jobId(phase.job.id),
  slots: [slotKind(phase.kind)],
  after: phase.reads.map((read) => ({
    phase: phaseId(read.id),
    start: phase.slowstart === 1 ? { when: "done" } : { when: "fraction", of: phase.slowstart },
  })),
  ...(phase.speculate ? {} : { speculate: false }),
  tasks: phase.tasks.map((task) => ({
    id: taskId(task.id),
    phase: phaseId(phase.id),
    index: task.index,
    ...(phase.reads.length === 0 ? { inputBytes: task.bytes } : {}),
    replicas: task.replicas.map(nodeId),
    stages: phase.shares.map((share, stage) => ({ name: `stage-${stage}`, share })),
  })),
});

/** One slot of the kind, and none of other kinds; without a kind no slot. */
export const offered = (node: Machine, kind?: Kind): Told => ({
  kind: "slots-offered",
  node: nodeId(node.id),
  free: [0, 1].map((k) => ({ kind: slotKind(k), count: k === kind ? 1 : 0 })),
});

/** The given number of free slots of each kind. */
export const offeredAll = (node: Machine, free: readonly number[]): Told => ({
  kind: "slots-offered",
  node: nodeId(node.id),
  free: free.map((count, kind) => ({ kind: slotKind(kind), count })),
});

export const started = (books: Books, attempt: AttemptBook): Told => ({
  kind: "attempt-started",
  attempt: attemptId(attempt.id),
  task: taskId(attempt.task.id),
  node: nodeId(attempt.node.id),
  as: attempt.speculative ? "speculative" : "original",
  progress: sourceOf(books, attempt),
});

export const progressed = (books: Books, attempt: AttemptBook): Told => ({
  kind: "attempt-progressed",
  attempt: attemptId(attempt.id),
  progress: sourceOf(books, attempt),
});

export const succeeded = (attempt: AttemptBook): Told => ({
  kind: "attempt-succeeded",
  attempt: attemptId(attempt.id),
  output: {
    ...{ bytes: attempt.task.bytes, records: 1 },
    ...(attempt.task.parts.length > 0 && { byPartition: attempt.task.parts }),
  },
});

export const failed = (attempt: AttemptBook): Told => ({
  kind: "attempt-failed",
  attempt: attemptId(attempt.id),
  cause: "error",
});

export const killed = (attempt: AttemptBook): Told => ({
  kind: "attempt-killed",
  attempt: attemptId(attempt.id),
  by: "us",
});

function sourceOf(books: Books, attempt: AttemptBook): ProgressSource {
  const amounts = (score: number) => ({
    score,
    bytesRead: score * attempt.task.bytes,
    bytesWritten: 0,
    records: score * attempt.task.records,
  });
  if (books.form === "reported") {
    const { at, score, changedAt, stage } = attempt.report;
    return {
      ...{ kind: "reported", stage },
      ...{ at: instant(at), changedAt: instant(changedAt), ...amounts(score) },
    };
  }
  const startedAt = instant(attempt.startedAt);
  const reportEvery = books.form === "curve-3s" ? 3_000 : 0;
  const [first, second] = attempt.pieces;
  if (books.tellsLines && second === undefined && first?.from === attempt.startedAt) {
    const { score: scorePerMs, bytesRead: bytesReadPerMs } = amounts(first.perMs);
    return { kind: "line", startedAt, scorePerMs, bytesReadPerMs, reportEvery };
  }
  const segments = [];
  // One segment for a stage while the speed does not change: the score stops at 1 by itself.
  for (const { from, score, perMs, stage } of attempt.pieces) {
    segments.push({ from: instant(from), stage, at: amounts(score), perMs: amounts(perMs) });
  }
  return { kind: "curve", startedAt, segments, reportEvery };
}
