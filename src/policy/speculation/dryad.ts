import type { Sample } from "../../base/sample.ts";
import { percentile } from "../../base/stats.ts";
import type { Ask, Slot } from "../../model/action.ts";
import { type Durations, learnDurations } from "../../model/durations.ts";
import type { JobId, NodeId, PhaseId, TaskId } from "../../model/ids.ts";
import { Shortlist } from "../../model/shortlist.ts";
import { soleAttempt } from "../../model/sole-attempt.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { firstLaunch } from "../shared/first-launch.ts";

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
  /** Of succeeded attempts. Ours. */
  samplesMax: {
    default: 1000,
    min: 1,
    whole: true,
    about: "most durations kept per phase, by which its percentile is judged",
  },
});

export type DryadParams = ParamsOf<typeof PARAMS>;

/** Dryad's duplicates: of the tasks that run longer than most of their phase took. */
export const dryad: SpeculationPolicy<DryadParams, Durations> = {
  name: "dryad",
  source:
    "Isard, Budiu, Yu, Birrell, Fetterly: Dryad, EuroSys 2007, as Mantri (MSR-TR-2010-69), §7 " +
    "describes it; DrStageStatistics and DrDefaultManager of its published source",
  params: PARAMS,
  needs: ["slot-offers"],
  remember: () => new Map(),

  learn(ctx, what) {
    learnDurations(ctx.memory, what, ctx);
  },

  // Mantri §7 makes Hadoop and LATE wait until all tasks have started, not Dryad, whose source
  // asks for a copy as soon as a task has run for too long. A slot that a waiting task gets needs
  // no excuse.
  onContendedSlot: (ctx, job, slot) =>
    copyLongest(ctx, job, slot).filter(({ kind }) => kind === "launch"),
  onIdleSlot: copyLongest,
};

type DryadContext = Context<DryadParams, Durations>;

function copyLongest(ctx: DryadContext, job: JobId, slot: Slot): readonly Ask[] {
  const { view } = ctx;
  if (view.job(job).speculate === false) return refuse(ctx, "job-forbids-copies", () => ({}));
  return firstLaunch(view, job, slot, (phase) => lookAt(ctx, phase, slot.node));
}

/** The launch of a copy, or why there is none. */
function lookAt(ctx: DryadContext, phase: PhaseId, node: NodeId): readonly Ask[] {
  const { memory, params, view } = ctx;
  const { done, tasks, waiting } = view.counts(phase);
  const begun = tasks - waiting;
  const limitMs = limitOf({ ...params, sample: memory.get(phase), done, begun, tasks });
  if (limitMs === undefined) return refuse(ctx, "too-few-done", () => ({ done, tasks }));

  const long = view.held(phase, "dryad long tasks", () => longTasks(view, phase, limitMs));
  const attempt = long.firstFor(view, node);
  if (attempt === undefined) return whyNone(ctx, { phase, limitMs });
  const ranMs = view.now - (attempt.startedAt ?? view.now);
  const why = { rule: "longer-than-most", numbers: { ranMs, limitMs, done, tasks } };
  return [{ kind: "launch", task: attempt.task, as: "speculative", node, why }];
}

/**
 * Mantri §7: those are copied that have been running for longer than the percentile. Running tasks
 * come in the order of their first launch, so that the first that is too young ends it.
 */
function longTasks(view: View, phase: PhaseId, limitMs: number): Shortlist {
  const tasks: TaskId[] = [];
  for (const { id } of view.runningTasks(phase)) {
    if (livedMs(view, id) <= limitMs) break;
    const startedAt = soleAttempt(view, id)?.startedAt;
    if (startedAt !== undefined && view.now - startedAt > limitMs) tasks.push(id);
  }
  return new Shortlist(tasks);
}

const livedMs = (view: View, task: TaskId): number =>
  view.now - (view.attemptsOf(task)[0]?.launchedAt ?? view.now);

/** Of the tasks that are passed over, the first that is not being speculated on says why. */
function whyNone(
  ctx: DryadContext,
  { phase, limitMs }: { readonly phase: PhaseId; readonly limitMs: number },
): readonly Ask[] {
  if (!ctx.explains) return [];
  const { view } = ctx;
  let passed: { readonly rule: Refusal; readonly ranMs: number } | undefined;
  for (const { id: task } of view.runningTasks(phase)) {
    const attempt = soleAttempt(view, task);
    const ranMs =
      attempt === undefined ? livedMs(view, task) : view.now - (attempt.startedAt ?? view.now);
    passed = { rule: "already-speculated", ranMs };
    if (attempt === undefined) continue;
    passed = { rule: ranMs <= limitMs ? "not-longer" : "has-run-here", ranMs };
    break;
  }
  const { done, tasks } = view.counts(phase);
  if (passed === undefined) return refuse(ctx, "nothing-running", () => ({ limitMs, done, tasks }));
  const { rule, ranMs } = passed;
  return refuse(ctx, rule, () => ({ ranMs, limitMs, done, tasks }));
}

type Refusal = "already-speculated" | "not-longer" | "has-run-here";

/**
 * The percentile of the durations of all tasks of a phase that have begun, of which those not done
 * yet will turn out the longest; undefined while too few are done to tell.
 */
export function limitOf(of: {
  readonly durationPercentile: number;
  readonly doneShareMin: number;
  readonly sample: Sample | undefined;
  readonly done: number;
  /** Done, or running. */
  readonly begun: number;
  readonly tasks: number;
}): number | undefined {
  const { begun, done, doneShareMin, sample, tasks } = of;
  if (sample === undefined || sample.rising.length === 0) return undefined;
  const rank = (of.durationPercentile / 100) * (begun - 1);
  if (rank > done - 1 || done < doneShareMin * tasks) return undefined;
  return percentile(sample.rising, rank === 0 ? 0 : (100 * rank) / (done - 1));
}
