import {
  attemptId,
  instant,
  jobId,
  nodeId,
  phaseId,
  slotKind,
  taskId,
} from "../../../src/core/index.ts";
import type { Job, Phase } from "../../../src/policy/index.ts";
import type { Told } from "../../letter/events.ts";
import { sum } from "../figures.ts";
import type { AttemptBook, Books, JobBook, NodeBook, PhaseBook, TaskBook } from "./books.ts";

export { joined, offered, offeredAll, type Told } from "../../letter/events.ts";

export const left = ({ id }: NodeBook): Told => ({ kind: "node-left", node: nodeId(id) });

export const silent = ({ id }: NodeBook, since: number): Told => ({
  ...{ kind: "node-silent", node: nodeId(id), since: instant(since) },
});

export const heard = ({ id }: NodeBook): Told => ({ kind: "node-heard", node: nodeId(id) });

export const submitted = (job: JobBook): Told => ({ kind: "job-submitted", job: describe(job) });

const describe = ({ id, submittedAt, speculate, phases }: JobBook): Job => ({
  ...{ id: jobId(id), name: `job-${id}`, user: "u", pool: "p", priority: "normal", speculate },
  submittedAt: instant(submittedAt),
  phases: phases.map(describePhase),
});

const describePhase = ({ id, job, kind, reads, slowstart, tasks }: PhaseBook): Phase => ({
  ...{ id: phaseId(id), name: `phase-${id}`, job: jobId(job.id), slots: [slotKind(kind)] },
  after: reads.map((read) => ({
    phase: phaseId(read.id),
    start: slowstart === 1 ? { when: "done" } : { when: "fraction", of: slowstart },
  })),
  tasks: tasks.map((task) => ({
    ...{ id: taskId(task.id), phase: phaseId(id), index: task.index },
    ...(reads.length > 0 ? {} : { inputBytes: task.bytes }),
    replicas: task.replicas.map(nodeId),
    stages: [{ name: "work", share: 1 }],
  })),
});

export const started = (books: Books, attempt: AttemptBook): Told => ({
  ...{ kind: "attempt-started", attempt: attemptId(attempt.id), task: taskId(attempt.task.id) },
  ...{ node: nodeId(attempt.node.id), as: attempt.as as "original" },
  progress: curveOf(books, attempt),
});

export const progressed = (books: Books, attempt: AttemptBook): Told => ({
  ...{ kind: "attempt-progressed", attempt: attemptId(attempt.id) },
  progress: curveOf(books, attempt),
});

const NOTHING = { bytesRead: 0, bytesWritten: 0, records: 0 };

const curveOf = ({ reportEvery }: Books, { startedAt, pieces }: AttemptBook) => ({
  ...{ kind: "curve" as const, startedAt: instant(startedAt), reportEvery },
  segments: pieces.map(({ from, score, perMs }) => ({
    ...{ from: instant(from), stage: 0, at: { ...NOTHING, score } },
    perMs: { ...NOTHING, score: perMs },
  })),
});

export const succeeded = ({ id, task: { parts } }: AttemptBook): Told => ({
  ...{ kind: "attempt-succeeded", attempt: attemptId(id) },
  output: { bytes: sum(parts), records: 1, ...(parts.length > 0 && { byPartition: parts }) },
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
