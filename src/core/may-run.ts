import type { Slot } from "../model/action.ts";
import type { Core } from "./core.ts";
import { isClosed } from "./failures.ts";
import type { NodeRecord, PhaseRecord, TaskRecord } from "./state.ts";

/**
 * Whether the node is there and heard, open to the job, and right for the task by the order's rule.
 */
export function mayRun(core: Core, task: TaskRecord, node: NodeRecord, slot: Slot): boolean {
  if (!node.usable || isClosed(core.state, task.phase.job, node.id)) return false;
  return isEligible(core, task, slot);
}

/** Whether something that the phase reads waits for the same kind of slot. */
export const isHeldBack = (phase: PhaseRecord): boolean =>
  phase.sources.some((source) => source.waiting > 0);

export function isEligible(core: Core, task: TaskRecord, slot: Slot): boolean {
  const { policy, ctx } = core.seats.order;
  return policy.eligible?.(ctx, task.id, slot) ?? true;
}
