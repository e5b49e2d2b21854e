import type { Slot } from "../model/action.ts";
import type { Core } from "./core.ts";
import { isClosed } from "./failures.ts";
import type { JobRecord, NodeRecord, PhaseRecord, TaskRecord } from "./state.ts";

/**
 * Whether the node is there and heard, open to the job, and right for the task by the order's rule.
 */
export function mayRun(core: Core, task: TaskRecord, node: NodeRecord, slot: Slot): boolean {
  if (!node.usable || isClosed(core.state, task.phase.job, node.id)) return false;
  return isEligible(core, task, slot);
}

/** Whether the job's code does what must not be done twice at once: no policy copies its tasks. */
export const forbidsCopies = ({ job }: JobRecord): boolean => job.speculate === false;

/** Whether something that the phase reads waits for the same kind of slot. */
export const sourceWaits = (phase: PhaseRecord): boolean =>
  phase.sources.some((source) => source.waiting > 0);

/** Whether the phase leaves slots to what it reads: it has as many as the order lets it take. */
export function isHeldBack(core: Core, phase: PhaseRecord): boolean {
  if (!sourceWaits(phase)) return false;
  // Readers could hold every slot for ever if what waits had none, or where kinds are mixed.
  const comesFirst = ({ waiting, running, phase: { slots } }: PhaseRecord): boolean =>
    slots.length > 1 || (waiting > 0 && running === 0);
  if (phase.phase.slots.length > 1 || phase.sources.some(comesFirst)) return true;
  const { policy, ctx } = core.seats.order;
  return phase.running >= (policy.readersBeside?.(ctx, phase.phase.id) ?? 0);
}

export function isEligible(core: Core, task: TaskRecord, slot: Slot): boolean {
  const { policy, ctx } = core.seats.order;
  return policy.eligible?.(ctx, task.id, slot) ?? true;
}
