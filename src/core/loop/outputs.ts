import type { Output } from "../../model/attempt.ts";
import type { RackId } from "../../model/ids.ts";
import type { Why } from "../../model/why.ts";
import type { NodeRecord } from "../state/node-record.ts";
import type { TaskRecord } from "../state/records.ts";
import { countRemaining } from "../state/remaining.ts";
import { keepTask } from "../state/task-record.ts";
import type { Core } from "./core.ts";
import { holdReaders } from "./readiness.ts";
import { waitWhenReady } from "./tasks.ts";

/**
 * Records that a finished attempt's output lies on its node. An output without readers is not kept.
 */
export function keepOutput(core: Core, task: TaskRecord, node: NodeRecord, output: Output): void {
  if (task.phase.readers.length === 0) {
    task.output = output;
    return;
  }
  keepTask(core.state, task);
  if (task.outputNodes.length === 0) {
    task.output = output;
    task.phase.missing.delete(task);
    addBytes(task, 1);
  }
  task.mishaps.fetchReports?.delete(node);
  addCopy(task, node);
}

export function recordOutput(core: Core, row: number, output: Output, isFirst: boolean): void {
  const { attempts } = core.state;
  const isRead = attempts.phaseOf(row).readers.length > 0;
  if (!core.wants[isRead ? "read-output-made" : "output-made"]) return;
  const { table } = attempts;
  core.record({
    kind: "output-made",
    at: core.now,
    task: table.task(row),
    attempt: table.id(row),
    node: table.node(row),
    output,
    again: !isFirst,
  });
}

/** Records that another node holds a copy as well. Returns false if that was known. */
export function addCopy(task: TaskRecord, node: NodeRecord): boolean {
  if (task.outputNodes.includes(node)) return false;
  task.outputNodes = [...task.outputNodes, node];
  node.outputs.add(task.id);
  addRackBytes(task, node.rack, 1);
  return true;
}

/** Records that the node no longer holds a copy. Returns whether any node still does. */
export function dropCopy(core: Core, task: TaskRecord, node: NodeRecord): boolean {
  if (!task.outputNodes.includes(node)) return task.outputNodes.length > 0;
  node.outputs.delete(task.id);
  task.outputNodes = task.outputNodes.filter((other) => other !== node);
  addRackBytes(task, node.rack, -1);
  task.mishaps.fetchReports?.delete(node);
  if (core.wants["output-lost"]) {
    const copiesLeft = task.outputNodes.length;
    core.record({ at: core.now, kind: "output-lost", task: task.id, node: node.id, copiesLeft });
  }
  if (task.outputNodes.length > 0) return true;
  addBytes(task, -1);
  task.phase.missing.add(task);
  if (task.mishaps.recomputing) task.phase.gone++;
  return false;
}

/**
 * Whether a phase that reads the task's output has tasks that are unfinished or being recomputed.
 */
export function isNeeded(task: TaskRecord): boolean {
  const { job, readers } = task.phase;
  return job.live && readers.some((reader) => reader.unfinished);
}

/**
 * Runs the finished task again, and before it the tasks whose missing outputs it reads. A second
 * call while the task waits or runs does nothing.
 */
export function recompute(core: Core, task: TaskRecord, why: Why): void {
  if (task.needed) return;
  if (!isNeeded(task)) {
    const name = `${task.phase.phase.name}/${task.index}`;
    core.pass("nobody-reads-it", () => ({ task: name }));
    return;
  }
  core.emit({ kind: "recompute", task: task.id, why });
  if (core.wants["task-reopened"])
    core.record({ at: core.now, kind: "task-reopened", task: task.id, why });
  task.ensureMishaps().recomputing = true;
  task.phase.recomputing++;
  countRemaining(core.state, task.phase, 1);
  task.ensureMishaps().unheard = true;
  task.phase.unheard++;
  if (task.outputNodes.length === 0) task.phase.gone++;
  // The attempts of a finished task that still hold slots are dying: the recompute waits for their
  // ends.
  if (task.unended > 0) task.ensureMishaps().recomputeDue = true;
  else waitWhenReady(core, task, "recompute");
  holdReaders(core, task.phase);
  for (const source of task.phase.upstream) {
    for (const missing of source.missing) recompute(core, missing, why);
  }
}

function addBytes(task: TaskRecord, sign: 1 | -1): void {
  const parts = task.output?.byPartition;
  if (parts === undefined) return;
  for (const reader of task.phase.readers) {
    reader.inputBytes ??= new Array<number>(reader.size).fill(0);
    const bytes = reader.inputBytes;
    for (let i = 0; i < bytes.length; i++) bytes[i] = bytes[i]! + sign * (parts[i] ?? 0);
  }
}

function addRackBytes(task: TaskRecord, rack: RackId, sign: 1 | -1): void {
  const parts = task.output?.byPartition;
  if (parts === undefined) return;
  for (const reader of task.phase.readers) {
    reader.inputByRack ??= Array.from(reader.phase.tasks, () => new Map<RackId, number>());
    const racks = reader.inputByRack;
    for (let i = 0; i < racks.length; i++) {
      const part = parts[i] ?? 0;
      if (part > 0) racks[i]!.set(rack, (racks[i]!.get(rack) ?? 0) + sign * part);
    }
  }
}
