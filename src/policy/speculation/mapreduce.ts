import type { Ask } from "../../model/action.ts";
import type { NodeId, PhaseId } from "../../model/ids.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { firstLaunch } from "../shared/copyable-phases.ts";
import { copyOn, firstCopy } from "../shared/first-copy.ts";

const PARAMS = params({
  /**
   * Mantri §7: "a threshold number", without a figure; 0.95 stays within the few per cent of extra
   * resources that MapReduce §3.6 speaks of.
   */
  doneShareMin: {
    default: 0.95,
    max: 1,
    about: "fraction of a phase that must be done before the rest is copied",
  },
});

export type MapreduceParams = ParamsOf<typeof PARAMS>;

/**
 * Google MapReduce's backup tasks: near the end of a phase, all remaining tasks run a second time.
 */
export const mapreduce: SpeculationPolicy<MapreduceParams, null> = {
  name: "mapreduce",
  source:
    "Dean, Ghemawat: MapReduce: Simplified Data Processing on Large Clusters, OSDI 2004, §3.6, " +
    "as Mantri (MSR-TR-2010-69), §7 describes it",
  params: PARAMS,
  needs: ["slot-offers"],
  remember: () => null,

  onIdleSlot: (ctx, job, slot) =>
    firstLaunch(ctx.view, job, slot, (phase) => lookAt(ctx, phase, slot.node)),
  idleNeedsAttempts: true,
};

/** The launch of a copy, or why there is none. */
function lookAt(ctx: Context<MapreduceParams, null>, phase: PhaseId, node: NodeId): readonly Ask[] {
  const { params, view } = ctx;
  // Mantri §7: nothing is copied until a threshold number of tasks have finished.
  const { done, tasks } = view.counts(phase);
  const doneMin = tasks - remainingMax({ doneShareMin: params.doneShareMin, tasks });
  const numbers = () => ({ done, doneMin, tasks });
  if (done < doneMin) return refuse(ctx, "not-near-its-end", numbers);

  // Mantri §7: then all remaining tasks are copied. Mantri does not say which comes first; here it
  // is the one launched first.
  const ranked = () => view.oldestRunning(phase, "launch");
  const choice = firstCopy(ctx, phase, node, { ranked, refusal: "first" });
  if (choice.kind === "none") return refuse(ctx, choice.rule, numbers);
  const why = { rule: "remains-near-the-end", numbers: numbers() };
  return [copyOn(node, choice.attempt.task, why)];
}

/**
 * The number of remaining tasks of a phase at which they are copied: a fraction of a task counts as
 * one.
 */
export function remainingMax(of: {
  readonly doneShareMin: number;
  readonly tasks: number;
}): number {
  // 1 - 0.95 exceeds 0.05 by a last bit.
  return Math.max(0, Math.ceil((1 - of.doneShareMin) * of.tasks - 1e-9));
}
