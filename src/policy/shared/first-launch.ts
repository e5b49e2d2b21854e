import type { Ask, Slot } from "../../model/action.ts";
import type { JobId, PhaseId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import { copyablePhases } from "./copyable-phases.ts";

/**
 * The launch of a copy, from the first phase of the job that offers one for the slot; otherwise the
 * reasons why no phase does.
 */
export function firstLaunch(
  view: View,
  job: JobId,
  slot: Slot,
  lookAt: (phase: PhaseId) => readonly Ask[],
): readonly Ask[] {
  const refusals: Ask[] = [];
  for (const { id } of copyablePhases(view, job, slot.kind)) {
    const [ask] = lookAt(id);
    if (ask?.kind === "launch") return [ask];
    if (ask !== undefined) refusals.push(ask);
  }
  return refusals;
}
