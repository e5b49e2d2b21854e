import type { SlotKind } from "../model/ids.ts";
import type { Core } from "./core.ts";
import { isClosed } from "./failures.ts";
import type { NodeRecord, TaskRecord } from "./state.ts";

/** Whether the node is there and heard, open to the job, and right for the task by the order's rule. */
export function mayRun(core: Core, task: TaskRecord, node: NodeRecord, kind: SlotKind): boolean {
  if (!node.usable || isClosed(core, task.phase.job, node)) return false;
  return isEligible(core, task, node, kind);
}

export function isEligible(
  core: Core,
  task: TaskRecord,
  node: NodeRecord,
  kind: SlotKind,
): boolean {
  const { policy, ctx } = core.seats.order;
  return policy.eligible?.(ctx, task.task.id, { node: node.node.id, kind }) ?? true;
}
