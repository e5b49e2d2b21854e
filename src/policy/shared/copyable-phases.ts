import type { Ask, Slot } from "../../model/action.ts";
import type { Instant, JobId, PhaseId, SlotKind } from "../../model/ids.ts";
import { type Job, mayBeCopied, type Phase } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { refuse } from "../refuse.ts";

/**
 * LATE §2.2: the phases of the job, or those of one slot kind, whose tasks may be copied. The core
 * refuses copies of the others; a policy that leaves them out does not choose such a task in vain.
 */
export const copyablePhases = (view: View, job: JobId, kind?: SlotKind): readonly Phase[] =>
  view.phases(job, kind).filter((phase) => mayBeCopied(view.job(job), phase));

/**
 * When the first of the phases' running tasks was launched; undefined if none runs. COST:
 * O(phases), since running tasks are listed in launch order.
 */
export function earliestLaunch(view: View, phases: readonly Phase[]): Instant | undefined {
  let earliest: Instant | undefined;
  for (const { id } of phases) {
    const [task] = view.runningTasks(id);
    const launchedAt = task === undefined ? undefined : view.attemptsOf(task.id)[0]?.launchedAt;
    if (earliest === undefined || (launchedAt ?? earliest) < earliest) earliest = launchedAt;
  }
  return earliest;
}

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

/** The asks of a policy that looks at each phase whose tasks may be copied. */
export function eachCopyable(
  ctx: { readonly view: View; readonly explains: boolean },
  job: Job,
  lookAt: (phase: Phase) => readonly Ask[],
): readonly Ask[] {
  if (job.speculate === false) return refuse(ctx, "job-forbids-copies", () => ({}));
  return ctx.view
    .phases(job.id)
    .flatMap((phase) =>
      mayBeCopied(job, phase) ? lookAt(phase) : refuse(ctx, "phase-forbids-copies", () => ({})),
    );
}
