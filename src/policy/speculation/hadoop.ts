import type { Ask } from "../../model/action.ts";
import { after, type Instant, type NodeId, type PhaseId } from "../../model/ids.ts";
import { type ParamsOf, params, withDefaults } from "../params.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { firstLaunch } from "../shared/copyable-phases.ts";
import { copyOn, firstCopy } from "../shared/first-copy.ts";

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
   * true: counts from the job's admission, when the TaskInProgress is made (the source). false:
   * from the attempt's start: "has run for at least one minute" (LATE §2.1).
   */
  lagFromAdmission: {
    default: true,
    about: "whether that time counts from the job's admission or from the attempt's start",
  },
  /**
   * true: a task whose output was lost counts as done until its next attempt reports, since
   * recomputeProgress comes before the loss is noted (the source). false: as not begun.
   */
  lostCountsAsDone: {
    default: true,
    about: "whether a task whose output was lost counts as done until its next attempt is heard of",
  },
  /**
   * "Less than the average minus 0.2" (LATE §2.1) against `average - progress >= 0.2` (the source).
   */
  strict: { default: false, about: "whether a gap of exactly that size is too small" },
});

export type HadoopParams = ParamsOf<typeof PARAMS>;

/**
 * Hadoop's own policy: a task whose score is far behind the mean of its phase is a straggler.
 * Stragglers differ only in the place of their data, and there is no cap.
 */
export const hadoop: SpeculationPolicy<HadoopParams, null> = {
  name: "hadoop",
  source: "Hadoop 1.2.1, TaskInProgress.hasSpeculativeTask, JobInProgress.findSpeculativeTask",
  params: PARAMS,
  needs: ["slot-offers"],
  remember: () => null,

  onIdleSlot(ctx, job, slot) {
    const { params, view } = ctx;
    const from = view.admittedAt(job) ?? view.now;
    if (params.lagFromAdmission && view.now < after(from, params.lagMs)) {
      return refuse(ctx, "too-young", () => ({ livedMs: view.now - from, lagMs: params.lagMs }));
    }
    return firstLaunch(view, job, slot, (phase) => findSpeculativeTask(ctx, phase, slot.node));
  },
  idleNeedsAttempts: true,
};

/** As the LATE paper describes it, §2.1. */
export const hadoopPaper: SpeculationPolicy<HadoopParams, null> = {
  ...hadoop,
  name: "hadoop-paper",
  source: "LATE (OSDI 2008), §2.1: Hadoop's scheduler",
  params: withDefaults(PARAMS, { lagFromAdmission: false, lostCountsAsDone: false, strict: true }),
};

type HadoopContext = Context<HadoopParams, null>;

/** The launch of a copy, or why there is none. */
function findSpeculativeTask(ctx: HadoopContext, phase: PhaseId, node: NodeId): readonly Ask[] {
  const { params, view } = ctx;
  const { gap, lagFromAdmission, lagMs } = params;
  const meanProgress = meanProgressOf(ctx, phase);
  const isOld = (start: Instant): boolean => lagFromAdmission || view.now >= after(start, lagMs);
  const isFarBehind = (score: number): boolean => isBehind({ score, meanProgress, ...params });
  const choice = firstCopy(ctx, phase, node, {
    // hasSpeculativeTask: the attempt's score is behind the mean of the phase.
    ranked: (sought) => view.oldestRunning(phase, "work", sought && isFarBehind),
    // Stragglers differ only in the place of their data.
    isTied: () => true,
    only: [
      // LATE §2.1: an attempt must have run for a minute.
      ["too-young", ({ startedAt }) => startedAt !== undefined && isOld(startedAt)],
      ["not-behind", ({ id }) => isFarBehind(view.score(id))],
    ],
    refusal: "furthest",
  });
  if (choice.kind === "none") return refuse(ctx, choice.rule, () => ({ meanProgress, gap }));
  const { task } = choice.attempt;
  const score = view.score(choice.attempt.id);
  const numbers = { score, meanProgress, gap, locality: view.locality(task, node) };
  return [copyOn(node, task, { rule: "behind-the-mean", numbers })];
}

/** JobStatus.mapProgress, reduceProgress. */
function meanProgressOf({ params, view }: HadoopContext, phase: PhaseId): number {
  if (!params.lostCountsAsDone) return view.meanProgress(phase);
  return view.held(phase, "hadoop mean", () => {
    return view.meanProgress(phase) + view.unheard(phase) / view.counts(phase).tasks;
  });
}

// Scores are sums of thirds: a gap of 0.2 may come out smaller or larger by its last bit.
const ROUNDING = 1e-9;

/**
 * Whether a score is behind the mean of its phase by at least the gap; by more than it, if strict.
 */
export function isBehind(of: {
  readonly score: number;
  readonly meanProgress: number;
  readonly gap: number;
  readonly strict: boolean;
}): boolean {
  const behind = of.meanProgress - of.score;
  return of.strict ? behind > of.gap + ROUNDING : behind >= of.gap - ROUNDING;
}
