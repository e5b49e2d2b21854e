import type { NodeId, SlotKind, TaskId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import type { TaskOrder } from "../policy.ts";

/**
 * The task with the most data to read first: tasks that have a lot to do then do not stand alone at
 * the end. By Theorem 1 (Graham, 1969) a phase so ordered takes at most 4/3 - 1/(3s) times as long
 * on s slots as the best order would, if time goes by size.
 */
export const largestFirst: TaskOrder<object, null> = {
  name: "largest-first",
  source:
    "Ananthanarayanan, Kandula, Greenberg, Stoica, Lu, Saha, Harris: Reining in the Outliers in " +
    "Map-Reduce Clusters using Mantri, MSR-TR-2010-69, 2010, §5.4",
  params: {},
  needs: [],
  remember: () => null,

  // Pseudocode 1, line 8: the waiting task with the largest data, wherever that lies. §6.1: it goes
  // to a slot beside its data if one is free, and else takes the first that is.
  keyBeforeLocality: true,

  // Less than nothing, never minus nothing: ties go by index.
  key: ({ view }, task) => 0 - view.inputBytes(task),

  // Not said in the paper: a task that fails is tried elsewhere, while there is an elsewhere.
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
