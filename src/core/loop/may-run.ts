import type { Slot } from "../../model/action.ts";
import type { SlotKind } from "../../model/ids.ts";
import { mayBeCopied } from "../../model/job.ts";
import { isClosed } from "../state/failures.ts";
import type { NodeRecord } from "../state/node-record.ts";
import type { JobRecord, PhaseRecord, TaskRecord } from "../state/records.ts";
import type { Core } from "./core.ts";
import { isPinnedElsewhere } from "./pins.ts";

/**
 * Whether the task may run on the node: the node is heard and open to the job, and the order's rule
 * accepts it for the task.
 */
export function mayRun(core: Core, task: TaskRecord, node: NodeRecord, slot: Slot): boolean {
  if (!node.usable || isClosed(core.state, task.phase.job, node.id)) return false;
  return isEligible(core, task, slot);
}

/** Whether tasks of the phase must not run twice at once: no policy may copy them then. */
export const forbidsCopies = (phase: PhaseRecord): boolean =>
  !mayBeCopied(phase.job.job, phase.phase);

/**
 * Why the job wants no copy on a slot of the kind, whatever the policy says: it forbids copies, or
 * each of its phases with work for such a slot does.
 */
export function copyBan(job: JobRecord, kind: SlotKind): CopyBan | undefined {
  if (job.isCopied) return undefined;
  if (job.job.speculate === false) return "job-forbids-copies";
  const open = job.phases.filter((phase) => phase.ready && phase.unfinished && takes(phase, kind));
  return open.length > 0 && open.every(forbidsCopies) ? "phase-forbids-copies" : undefined;
}

export type CopyBan = "job-forbids-copies" | "phase-forbids-copies";

/** Whether the phase's tasks accept slots of the kind. Most phases accept one kind only. */
export const takes = ({ phase: { slots } }: PhaseRecord, kind: SlotKind): boolean =>
  slots[0] === kind || slots.includes(kind);

/** Whether a phase that this phase reads waits for the same kind of slot. */
export const sourceWaits = (phase: PhaseRecord): boolean =>
  phase.sources.some((source) => source.waiting > 0);

/**
 * Whether the phase leaves slots to the phases it reads, because it holds as many as the order
 * allows.
 */
export function isHeldBack(core: Core, phase: PhaseRecord): boolean {
  if (!sourceWaits(phase)) return false;
  // Readers could hold every slot for ever if the waiting phase had none, or if slot kinds are
  // mixed.
  const comesFirst = ({ waiting, running, phase: { slots } }: PhaseRecord): boolean =>
    slots.length > 1 || (waiting > 0 && running === 0);
  if (phase.phase.slots.length > 1 || phase.sources.some(comesFirst)) return true;
  const { policy, ctx } = core.seats.order;
  return phase.running >= (policy.readersBeside?.(ctx, phase.phase.id) ?? 0);
}

/**
 * Whether tasks of the phase may be launched at all, as originals or as copies: enough of what they
 * read is there, and no phase that they read waits for the slots. If one does, the core says so.
 */
export function isOpen(core: Core, phase: PhaseRecord): boolean {
  if (!phase.ready) return false;
  if (!isHeldBack(core, phase)) return true;
  core.pass("upstream-waits", () => ({ job: phase.job.job.name, phase: phase.phase.name }));
  return false;
}

export function isEligible(core: Core, task: TaskRecord, slot: Slot): boolean {
  if (isPinnedElsewhere(core, task, slot.node)) return false;
  const { policy, ctx } = core.seats.order;
  return policy.eligible?.(ctx, task.id, slot) ?? true;
}
