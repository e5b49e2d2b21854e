import type { Ask } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { JobId, NodeId, PhaseId, TaskId } from "../../model/ids.ts";
import { PlacedShortlist } from "../../model/shortlist.ts";
import { soleAttempt } from "../../model/sole-attempt.ts";
import { type ParamsOf, params, withDefaults } from "../params.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";

const PARAMS = params({
  /** SPECULATIVE_GAP, 0.2. */
  gap: {
    default: 0.2,
    max: 1,
    about: "how far a score must be behind the mean of its phase (0.2)",
  },
  /** Milliseconds: SPECULATIVE_LAG, 60,000. */
  lagMs: { default: 60_000, about: "time before a task is looked at (60,000 ms)" },
  /**
   * true: from the job's admission, since a TaskInProgress is made then (the source). false: from
   * the attempt's start: "has run for at least one minute" (LATE §2.1).
   */
  lagFromAdmission: {
    default: true,
    about: "whether that time counts from the job's admission or from the attempt's start",
  },
  /**
   * "Less than the average minus 0.2" (LATE §2.1) against `average - progress >= 0.2` (the source).
   */
  strict: { default: false, about: "whether a gap of exactly that size is too small" },
});

export type HadoopParams = ParamsOf<typeof PARAMS>;

/**
 * Hadoop's own: a task whose score is far behind the mean of its phase is a straggler. All
 * stragglers are equal but for the place of their data, and there is no cap.
 */
export const hadoop: SpeculationPolicy<HadoopParams, null> = {
  name: "hadoop",
  source: "Hadoop 1.2.1, TaskInProgress.hasSpeculativeTask, JobInProgress.findSpeculativeTask",
  params: PARAMS,
  needs: ["slot-offers"],
  remember: () => null,

  onIdleSlot(ctx, job, slot) {
    const { params, view } = ctx;
    if (view.job(job).speculate === false) return refuse(ctx, "job-forbids-copies", () => ({}));
    const lived = sinceAdmission(ctx, job);
    if (params.lagFromAdmission && lived < params.lagMs) {
      return refuse(ctx, "too-young", () => ({ livedMs: lived, lagMs: params.lagMs }));
    }
    const refusals: Ask[] = [];
    for (const phase of view.phases(job, slot.kind)) {
      const found = findStraggler(ctx, phase.id, slot.node);
      if (found.kind === "straggler") return [copy(ctx, found, slot.node)];
      const { rule, meanProgress } = found;
      refusals.push(...refuse(ctx, rule, () => ({ meanProgress, gap: params.gap })));
    }
    return refusals;
  },
};

/** As the LATE paper describes it, §2.1. */
export const hadoopPaper: SpeculationPolicy<HadoopParams, null> = {
  ...hadoop,
  name: "hadoop-paper",
  source: "LATE (OSDI 2008), §2.1: Hadoop's scheduler",
  params: withDefaults(PARAMS, { lagFromAdmission: false, strict: true }),
};

type HadoopContext = Context<HadoopParams, null>;

interface Straggler {
  readonly kind: "straggler";
  readonly attempt: Attempt;
  readonly meanProgress: number;
}

/** Why there is none: the last test that a task came to. */
interface NoStraggler {
  readonly kind: "none";
  readonly rule: Refusal;
  readonly meanProgress: number;
}

const REFUSALS = [
  "nothing-running",
  "already-speculated",
  "too-young",
  "not-behind",
  "has-run-here",
] as const;
type Refusal = (typeof REFUSALS)[number];

/** The straggler nearest to its data; of those, the first in the list. */
function findStraggler(ctx: HadoopContext, phase: PhaseId, node: NodeId): Straggler | NoStraggler {
  const { view } = ctx;
  const meanProgress = view.meanProgress(phase);
  const list = view.held(phase, "hadoop stragglers", () => stragglers(ctx, phase, meanProgress));
  const attempt = list.nearestTo(view, node);
  if (attempt !== undefined) return { kind: "straggler", attempt, meanProgress };
  const rule = ctx.explains ? whyNone(ctx, phase, meanProgress) : "nothing-running";
  return { kind: "none", rule, meanProgress };
}

function stragglers(ctx: HadoopContext, phase: PhaseId, meanProgress: number): PlacedShortlist {
  const tasks: TaskId[] = [];
  for (const { id: task } of ctx.view.runningTasks(phase)) {
    if (refusalOf(ctx, { task, meanProgress }) === undefined) tasks.push(task);
  }
  return new PlacedShortlist(ctx.view, tasks);
}

function whyNone(ctx: HadoopContext, phase: PhaseId, meanProgress: number): Refusal {
  let furthest = 0;
  for (const { id: task } of ctx.view.runningTasks(phase)) {
    const refusal = refusalOf(ctx, { task, meanProgress }) ?? "has-run-here";
    furthest = Math.max(furthest, REFUSALS.indexOf(refusal));
  }
  return REFUSALS[furthest] ?? "nothing-running";
}

function refusalOf(
  { params, view }: HadoopContext,
  look: { readonly task: TaskId; readonly meanProgress: number },
): Refusal | undefined {
  const attempt = soleAttempt(view, look.task);
  if (attempt === undefined) return "already-speculated";
  const { startedAt } = attempt;
  if (startedAt === undefined) return "too-young";
  if (!params.lagFromAdmission && view.now - startedAt < params.lagMs) return "too-young";
  const { score } = view.progress(attempt.id);
  return isBehind({ score, meanProgress: look.meanProgress, ...params }) ? undefined : "not-behind";
}

// Scores are sums of thirds: a gap of 0.2 may come out a last bit smaller or larger.
const ROUNDING = 1e-9;

/** Whether a score is behind the mean of its phase by the gap; by more, if strict. */
export function isBehind(of: {
  readonly score: number;
  readonly meanProgress: number;
  readonly gap: number;
  readonly strict: boolean;
}): boolean {
  const behind = of.meanProgress - of.score;
  return of.strict ? behind > of.gap + ROUNDING : behind >= of.gap - ROUNDING;
}

const sinceAdmission = ({ view }: HadoopContext, job: JobId): number =>
  view.now - (view.admittedAt(job) ?? view.now);

function copy({ params, view }: HadoopContext, found: Straggler, node: NodeId): Ask {
  const { attempt, meanProgress } = found;
  const { task } = attempt;
  const { score } = view.progress(attempt.id);
  const numbers = { score, meanProgress, gap: params.gap, locality: view.locality(task, node) };
  return {
    kind: "launch",
    task,
    as: "speculative",
    node,
    why: { rule: "behind-the-mean", numbers },
  };
}
