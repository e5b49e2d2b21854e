import { attemptId, nodeId, rackId, taskId } from "../../../src/core/index.ts";
import type { AttemptBook, NodeBook, TaskBook } from "../driven/books.ts";
import type { Told } from "../driven/tell.ts";

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
