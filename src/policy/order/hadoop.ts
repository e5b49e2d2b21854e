import { hasMoreThan } from "../../base/has-more.ts";
import type { Node } from "../../model/cluster.ts";
import type { NodeId, SlotKind, TaskId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import type { TaskOrder } from "../policy.ts";

/**
 * Hadoop 1.2.1, JobInProgress.findNewMapTask and findNewReduceTask: tasks that were tried before
 * stand first, so that a bug is found early; the others go by index.
 */
export const hadoopOrder: TaskOrder<object, null> = {
  name: "hadoop",
  source: "Hadoop 1.2.1, JobInProgress.findNewMapTask, findNewReduceTask",
  defaults: {},
  needs: [],
  remember: () => null,

  key({ view }, task) {
    return isAgain(view, task) ? -1 - view.failures(task) : view.task(task).index;
  },

  // failedMaps is looked through before any list that knows about places.
  ignoresLocality: ({ view }, task) => isAgain(view, task),

  // Not where it failed, unless it has failed on as many nodes as there are.
  eligible({ view }, task, slot) {
    if (view.failures(task) === 0) return true;
    const failedOn = new Set<NodeId>();
    for (const { node, state } of view.attemptsOf(task)) if (state === "failed") failedOn.add(node);
    return (
      !failedOn.has(slot.node) || !hasMoreThan(failedOn.size, openNodes(view, task, slot.kind))
    );
  },
};

/**
 * Nodes that could run the task at all. In the source all have slots of both kinds, and those that
 * are closed to the job count; here the task could wait for ever.
 */
function* openNodes(view: View, task: TaskId, kind: SlotKind): Generator<Node> {
  const job = view.jobOf(view.task(task).phase).id;
  for (const node of view.nodes()) {
    const hasSlots = node.slots.some((slots) => slots.kind === kind && slots.count > 0);
    if (hasSlots && !view.isClosed(job, node.id)) yield node;
  }
}

/**
 * Whether the task stands before those that were not tried: it has failed, or it is a map whose
 * node or output was lost. A reduce that was killed goes back to its place.
 */
function isAgain(view: View, task: TaskId): boolean {
  if (view.attemptsOf(task).length === 0) return false;
  return view.failures(task) > 0 || view.phase(view.task(task).phase).after.length === 0;
}
