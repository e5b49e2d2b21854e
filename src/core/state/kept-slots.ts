import type { NodeId, TaskId } from "../../model/ids.ts";
import { isClosed } from "./failures.ts";
import type { State } from "./state.ts";

/** The node that keeps a slot for the task; undefined if the task could not take it now. */
export function keptSlotOf(state: State, task: TaskId): NodeId | undefined {
  const kept = state.keptSlots.get(task);
  if (kept === undefined || !kept.node.usable) return undefined;
  return isClosed(state, kept.task.phase.job, kept.node.id) ? undefined : kept.node.id;
}
