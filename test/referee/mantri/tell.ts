import {
  attemptId,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  slotKind,
  taskId,
} from "../../../src/core/index.ts";
import type { ClusterEvent, Job, Phase } from "../../../src/policy/index.ts";
import { sum } from "../figures.ts";
import type { AttemptBook, JobBook, NodeBook, PhaseBook, TaskBook } from "./books.ts";

/** An event without its time. */
export type Told = ClusterEvent extends infer E
  ? E extends { at: unknown }
    ? Omit<E, "at">
    : never
  : never;

export const joined = ({ id, name, rack, slots }: NodeBook): Told => ({
  kind: "node-joined",
  node: { id: nodeId(id), name, rack: rackId(rack), slots: counts(slots) },
});

export const left = ({ id }: NodeBook): Told => ({ kind: "node-left", node: nodeId(id) });

export const offered = ({ id, held }: NodeBook): Told => ({
  kind: "slots-offered",
  node: nodeId(id),
  free: counts(held),
});

const counts = (slots: readonly number[]) =>
  slots.map((count, kind) => ({ kind: slotKind(kind), count }));

export const submitted = (job: JobBook): Told => ({ kind: "job-submitted", job: describe(job) });

const describe = ({ id, submittedAt, phases }: JobBook): Job => ({
  ...{ id: jobId(id), name: `job-${id}`, user: "u", pool: "p", priority: "normal" },
  submittedAt: instant(submittedAt),
  phases: phases.map(describePhase),
});

const describePhase = ({ id, job, kind, reads, tasks }: PhaseBook): Phase => ({
  ...{ id: phaseId(id), name: `phase-${id}`, job: jobId(job.id), slots: [slotKind(kind)] },
  after: reads.map((read) => ({ phase: phaseId(read.id), start: { when: "done" } })),
  tasks: tasks.map((task) => ({
    ...{ id: taskId(task.id), phase: phaseId(id), index: task.index },
    ...(task.bytes === undefined ? {} : { inputBytes: task.bytes }),
    replicas: task.replicas.map(nodeId),
    stages: [{ name: "work", share: 1 }],
  })),
});

export const started = (attempt: AttemptBook): Told => ({
  ...{ kind: "attempt-started", attempt: attemptId(attempt.id), task: taskId(attempt.task.id) },
  ...{ node: nodeId(attempt.node.id), as: attempt.as as "original", progress: curveOf(attempt) },
});

export const progressed = (attempt: AttemptBook): Told => ({
  ...{ kind: "attempt-progressed", attempt: attemptId(attempt.id), progress: curveOf(attempt) },
});

const NOTHING = { bytesRead: 0, bytesWritten: 0, records: 0 };

const curveOf = ({ startedAt, pieces }: AttemptBook) => ({
  ...{ kind: "curve" as const, startedAt: instant(startedAt), reportEvery: 0 },
  segments: pieces.map(({ from, score, perMs }) => ({
    ...{ from: instant(from), stage: 0, at: { ...NOTHING, score } },
    perMs: { ...NOTHING, score: perMs },
  })),
});

export const succeeded = ({ id, task }: AttemptBook): Told => ({
  ...{ kind: "attempt-succeeded", attempt: attemptId(id) },
  output: { bytes: sum(task.parts), records: 1, byPartition: task.parts },
});

export const failed = ({ id }: AttemptBook): Told => ({
  ...{ kind: "attempt-failed", attempt: attemptId(id), cause: "error" },
});

export const killed = ({ id }: AttemptBook): Told => ({
  ...{ kind: "attempt-killed", attempt: attemptId(id), by: "us" },
});

export const outputLost = (task: TaskBook, node: NodeBook): Told => ({
  ...{ kind: "output-lost", task: taskId(task.id), node: nodeId(node.id) },
});

export const replicated = (task: TaskBook, node: NodeBook): Told => ({
  ...{ kind: "output-replicated", task: taskId(task.id), node: nodeId(node.id) },
});

export const missed = (reader: AttemptBook, task: TaskBook, from: NodeBook): Told => ({
  ...{ kind: "fetch-failed", reader: attemptId(reader.id), output: taskId(task.id) },
  from: nodeId(from.id),
});

export const sampled = (rack: number, up: number, down: number): Told => ({
  ...{ kind: "links-sampled", rack: rackId(rack), upBytesPerMs: up, downBytesPerMs: down },
});
