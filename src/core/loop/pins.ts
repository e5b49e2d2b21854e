import type { NodeId } from "../../model/ids.ts";
import type { Task } from "../../model/job.ts";
import { isClosed } from "../state/failures.ts";
import type { JobRecord, TaskRecord } from "../state/records.ts";
import type { Core } from "./core.ts";

type Pinned = TaskRecord & { readonly task: Task & { readonly firstOn: NodeId } };

/** Whether the task's next attempt is its first, and is meant for one node. */
export const isPinned = (of: TaskRecord): of is Pinned =>
  of.phase.fresh === undefined && of.attempts.length === 0 && of.task.firstOn !== undefined;

/** Whether the tasks of the job that are pinned to the node need not wait for it any more. */
export function isPinOver({ state }: Core, job: JobRecord, node: NodeId): boolean {
  const home = state.nodes[node];
  // The node may still join.
  if (home === undefined) return false;
  return !home.joined || isClosed(state, job, node);
}

export function isPinnedElsewhere(core: Core, task: TaskRecord, node: NodeId): boolean {
  if (!isPinned(task) || task.task.firstOn === node) return false;
  return !isPinOver(core, task.phase.job, task.task.firstOn);
}
