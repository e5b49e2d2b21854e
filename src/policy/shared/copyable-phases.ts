import type { Ask } from "../../model/action.ts";
import type { JobId, SlotKind } from "../../model/ids.ts";
import { type Job, mayBeCopied, type Phase } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { refuse } from "../refuse.ts";

/**
 * LATE §2.2: the phases of the job, or those of one slot kind, whose tasks may be copied. The core
 * refuses copies of the others; a policy that leaves them out does not choose such a task in vain.
 */
export const copyablePhases = (view: View, job: JobId, kind?: SlotKind): readonly Phase[] =>
  view.phases(job, kind).filter((phase) => mayBeCopied(view.job(job), phase));

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
