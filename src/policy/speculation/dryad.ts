import { isClearlyAbove } from "../../base/clearly-below.ts";
import type { Sample } from "../../base/sample.ts";
import { percentile } from "../../base/stats.ts";
import type { Ask, Slot } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { JobId, NodeId, PhaseId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { firstLaunch } from "../shared/copyable-phases.ts";
import { type Durations, HEARS_DURATIONS } from "../shared/durations.ts";
import { copyOn, firstCopy } from "../shared/first-copy.ts";

const PARAMS = params({
  /** Mantri §7: 75. */
  durationPercentile: {
    default: 75,
    max: 100,
    about: "percentile of a phase's durations beyond which a task is copied (75)",
  },
  /** Dryad's source: 0.5. */
  doneShareMin: {
    default: 0.5,
    max: 1,
    about: "fraction of a phase that must be done before its durations are judged (0.5)",
  },
  /** Durations of succeeded attempts that are kept. Ours. */
  samplesMax: {
    default: 1000,
    min: 1,
    whole: true,
    about: "most durations kept per phase, by which its percentile is judged",
  },
});

export type DryadParams = ParamsOf<typeof PARAMS>;

/** Dryad's duplicates: copies of tasks that run longer than most tasks of their phase took. */
export const dryad: SpeculationPolicy<DryadParams, Durations> = {
  name: "dryad",
  source:
    "Isard, Budiu, Yu, Birrell, Fetterly: Dryad, EuroSys 2007, as Mantri (MSR-TR-2010-69), §7 " +
    "describes it; DrStageStatistics and DrDefaultManager of its published source",
  params: PARAMS,
  needs: ["slot-offers"],
  remember: () => new Map(),

  hears: HEARS_DURATIONS,

  // Mantri §7 makes Hadoop and LATE wait until all tasks have started, but not Dryad, whose source
  // asks for a copy as soon as a task has run for too long. No refusal is given where a waiting
  // task gets the slot.
  onContendedSlot: (ctx, job, slot) =>
    copyLongest(ctx, job, slot).filter(({ kind }) => kind === "launch"),
  onIdleSlot: copyLongest,
  idleNeedsAttempts: true,
};

type DryadContext = Context<DryadParams, Durations>;

function copyLongest(ctx: DryadContext, job: JobId, slot: Slot): readonly Ask[] {
  return firstLaunch(ctx.view, job, slot, (phase) => lookAt(ctx, phase, slot.node));
}

/** The launch of a copy, or why there is none. */
function lookAt(ctx: DryadContext, phase: PhaseId, node: NodeId): readonly Ask[] {
  const { memory, params, view } = ctx;
  // Mantri §7: the 75th percentile of task durations, once enough of them are known.
  const { done, tasks, waiting } = view.counts(phase);
  const running = tasks - waiting - done;
  const { doneShareMin, durationPercentile } = params;
  const sample = memory.get(phase);
  const limitMs = limitOf({ durationPercentile, doneShareMin, sample, running, done, tasks });
  if (limitMs === undefined) return refuse(ctx, "too-few-done", () => ({ done, tasks }));

  // Mantri §7: tasks that have been running for longer are copied. Mantri does not say which comes
  // first; here it is the one launched first.
  const choice = firstCopy(ctx, phase, node, {
    ranked: () => longRunning(view, phase, limitMs),
    only: [["not-longer", (attempt) => isClearlyAbove(ranMs(view, attempt), limitMs)]],
    refusal: "first",
  });
  const { attempt, kind } = choice;
  const numbers = () => ({
    ...(attempt === undefined ? {} : { ranMs: ranMs(view, attempt) }),
    ...{ limitMs, done, tasks },
  });
  if (kind === "none") return refuse(ctx, choice.rule, numbers);
  return [copyOn(node, attempt.task, { rule: "longer-than-most", numbers: numbers() })];
}

const ranMs = (view: View, { startedAt = view.now }: Attempt): number => view.now - startedAt;

/**
 * Attempts come in launch order, so the first attempt that runs alone and is too young ends the
 * look. COST: O(attempts launched long enough ago).
 */
function* longRunning(view: View, phase: PhaseId, limitMs: number): Generator<Attempt> {
  for (const attempt of view.oldestRunning(phase, "launch")) {
    yield attempt;
    const isLong = isClearlyAbove(view.now - attempt.launchedAt, limitMs);
    if (!isLong && view.isAlone(attempt.id)) return;
  }
}

/**
 * The percentile of the durations of all executions of a phase that have begun, where those not
 * done yet count as the longest; undefined while too few are done. A task whose output was lost is
 * executed once more, and counts once more.
 */
export function limitOf(of: {
  readonly durationPercentile: number;
  readonly doneShareMin: number;
  readonly sample: Sample | undefined;
  /** In tasks, like the next two. */
  readonly running: number;
  readonly done: number;
  readonly tasks: number;
}): number | undefined {
  const { done, doneShareMin, running, sample, tasks } = of;
  if (sample === undefined || sample.rising.length === 0) return undefined;
  const rank = (of.durationPercentile / 100) * (sample.seen + running - 1);
  const last = sample.seen - 1;
  if (rank > last || done < doneShareMin * tasks) return undefined;
  return percentile(sample.rising, rank === 0 ? 0 : (100 * rank) / last);
}
