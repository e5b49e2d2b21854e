import { onPaper } from "../../base/on-paper.ts";
import type { NodeId, SlotKind, TaskId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import type { TaskOrder } from "../policy.ts";

/**
 * Takes the task with the most data to read first, so that large tasks do not run alone at the end.
 * By Theorem 1 (Graham, 1969) a phase in this order takes at most 4/3 - 1/(3s) times as long on s
 * slots as in the best order, if time is in proportion to size.
 */
export const largestFirst: TaskOrder<object, null> = {
  name: "largest-first",
  source:
    "Ananthanarayanan, Kandula, Greenberg, Stoica, Lu, Saha, Harris: Reining in the Outliers in " +
    "Map-Reduce Clusters using Mantri, MSR-TR-2010-69, 2010, §5.4",
  params: {},
  needs: [],
  remember: () => null,

  // Pseudocode 1, line 8: the waiting task with the largest data, wherever the data lie. §6.1: the
  // task goes to a slot beside its data if one is free, and otherwise to the first free slot.
  keyBeforeLocality: true,

  // Subtracted from 0, since `-0` would differ from `0`: ties go by index.
  key: ({ view }, task) => 0 - onPaper(view.inputBytes(task)),

  // Not in the paper: a failed task is tried on other nodes while there are any.
  eligible({ view }, task, { node, kind }) {
    if (view.failures(task) === 0) return true;
    const failedOn = new Set<NodeId>();
    for (const attempt of view.attemptsOf(task)) {
      if (attempt.state === "failed") failedOn.add(attempt.node);
    }
    return !failedOn.has(node) || !isOpenElsewhere(view, task, kind, failedOn);
  },
};

function isOpenElsewhere(
  view: View,
  task: TaskId,
  kind: SlotKind,
  failedOn: ReadonlySet<NodeId>,
): boolean {
  const job = view.jobOf(view.task(task).phase).id;
  for (const { id, slots } of view.nodes()) {
    if (failedOn.has(id) || view.isClosed(job, id)) continue;
    if (slots.some((one) => one.kind === kind && one.count > 0)) return true;
  }
  return false;
}
