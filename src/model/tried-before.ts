import { hasMoreThan } from "../base/has-more.ts";
import type { Slot } from "./action.ts";
import type { Node } from "./cluster.ts";
import type { NodeId, SlotKind, TaskId } from "./ids.ts";
import { isUnended } from "./sole-attempt.ts";
import type { View } from "./view.ts";

/**
 * Hadoop 1.2.1, failedMaps and the order of nonRunningReduces: whether the task comes before tasks
 * that were never tried. That holds for a task that has failed, and for a map whose node or output
 * was lost; a killed reduce goes back to its place.
 */
export function wasTriedBefore(view: View, task: TaskId): boolean {
  if (view.attemptsOf(task).length === 0) return false;
  return view.failures(task) > 0 || view.phase(view.task(task).phase).after.length === 0;
}

/**
 * Hadoop 1.2.1, findTaskFromList: a task does not run where it has failed, unless it has failed on
 * as many nodes as there are.
 */
export function mayBeTriedOn(view: View, task: TaskId, { node, kind }: Slot): boolean {
  const failedOn = view.failedOn(task);
  return !failedOn.includes(node) || !hasMoreThan(failedOn.length, openNodes(view, task, kind));
}

/**
 * Hadoop 1.2.1, TaskInProgress.hasRunOnMachine: a task is not copied to a node where an attempt of
 * it still holds a slot, or where it has failed. It may run again where it was killed, or lost with
 * its node.
 */
export function mayBeCopiedTo(view: View, task: TaskId, node: NodeId): boolean {
  if (view.failedOn(task).includes(node)) return false;
  return view.attemptsOf(task).every((attempt) => attempt.node !== node || !isUnended(attempt));
}

/**
 * Nodes that could run the task at all. In the source every node has slots of both kinds, and nodes
 * closed to the job count as well; here that could make the task wait for ever.
 */
function* openNodes(view: View, task: TaskId, kind: SlotKind): Generator<Node> {
  const job = view.jobOf(view.task(task).phase).id;
  for (const node of view.nodes()) {
    const hasSlots = node.slots.some((slots) => slots.kind === kind && slots.count > 0);
    if (hasSlots && !view.isClosed(job, node.id)) yield node;
  }
}
