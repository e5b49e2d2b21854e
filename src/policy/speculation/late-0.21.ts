import { defined } from "../../base/assert.ts";
import { isClearlyBelow } from "../../base/clearly-below.ts";
import {
  addMoment,
  deviationOf,
  type Moments,
  meanOf,
  noMoments,
  removeMoment,
} from "../../base/moments.ts";
import { onPaper } from "../../base/on-paper.ts";
import type { Ask, Slot } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import { type AttemptId, after, type JobId, type NodeId, type PhaseId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, HeardOf, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { firstLaunch } from "../shared/copyable-phases.ts";
import { copyOn, firstCopy } from "../shared/first-copy.ts";

const PARAMS = params({
  /** speculativecap, 0.1. */
  speculativeCap: {
    default: 0.1,
    max: 1,
    about: "most speculated tasks, as a fraction of the running ones (0.1)",
  },
  /** MIN_SPEC_CAP, 10; for each phase. */
  copiesMin: {
    default: 10,
    whole: true,
    about: "speculated tasks below which the cap does not hold (10)",
  },
  /** MIN_SLOTS_CAP, 0.01. */
  slotsShareMin: {
    default: 0.01,
    max: 1,
    about: "fraction of the slots of the kind up to which it does not hold either (0.01)",
  },
  /** slownodethreshold, 1. */
  slowNodeThreshold: {
    default: 1,
    about: "standard deviations of a slow node's mean duration above the mean (1)",
  },
  /** slowtaskthreshold, 1. */
  slowTaskThreshold: {
    default: 1,
    about: "standard deviations of a slow task's rate below the mean (1)",
  },
  /** Milliseconds: SPECULATIVE_LAG, 60,000. */
  lagMs: {
    default: 60_000,
    about: "time since its launch before an attempt may be copied (60,000 ms)",
  },
});

export type Late021Params = ParamsOf<typeof PARAMS>;

/** The statistics of one phase. */
interface PhaseMemory {
  /** Durations in ms of the succeeded attempts, by node. */
  readonly byNode: Map<NodeId, Moments>;
  /** Statistics over the nodes' mean durations: one number for each node. */
  readonly nodes: Moments;
  /** Rates, per ms, of finished tasks: they stay in the statistics. */
  readonly finished: Moments;
}

type Memory = Map<PhaseId, PhaseMemory>;

/**
 * LATE as it entered Hadoop. It uses means and standard deviations instead of percentiles, judges a
 * node by the durations of the tasks that finished there, and has a cap that does not limit small
 * jobs.
 */
export const late021: SpeculationPolicy<Late021Params, Memory> = {
  name: "late-0.21",
  source: "Hadoop 0.21, JobInProgress.findSpeculativeTask (HADOOP-2141)",
  params: PARAMS,
  needs: ["slot-offers"],
  remember: () => new Map(),

  hears: {
    "job-submitted"({ memory }, { job }) {
      for (const { id } of job.phases) {
        memory.set(id, { byNode: new Map(), nodes: noMoments(), finished: noMoments() });
      }
    },
    "job-ended"({ memory, view }, { job }) {
      for (const { id } of view.job(job).phases) memory.delete(id);
    },
    "attempt-succeeded": ({ memory, view }, what) => recordSuccess(memory, view, what),
  },

  onIdleSlot(ctx, job, slot) {
    const { view } = ctx;
    // isSlowTracker: slow in any phase of the job.
    const slow = slowPhase(ctx, job, slot.node);
    if (slow !== undefined) return refuse(ctx, "slow-node", () => slow);
    return firstLaunch(view, job, slot, (phase) => findSpeculativeTask(ctx, phase, slot));
  },
  idleNeedsAttempts: true,
};

type Late021Context = Context<Late021Params, Memory>;

/** The launch of a copy, or why there is none. */
function findSpeculativeTask(ctx: Late021Context, phase: PhaseId, slot: Slot): readonly Ask[] {
  const { params, view } = ctx;
  if (view.counts(phase).running === 0) return refuse(ctx, "nothing-running", () => ({}));
  // atSpeculativeCap. TaskInProgress.isSpeculating: several attempts are active; a copy whose
  // original has failed does not count.
  const { tasks, speculated } = view.active(phase);
  const { copiesMin, slotsShareMin, speculativeCap } = params;
  const slots = view.slots(slot.kind);
  const cap = capOf({ copiesMin, slotsShareMin, speculativeCap, tasks, slots });
  if (speculated >= cap) return refuse(ctx, "speculative-cap", () => ({ speculated, cap }));

  const rates = view.held(phase, "late-0.21 rates", () => ratesOf(ctx, phase));
  const { meanPerMs, slow, slowTaskPerMs } = rates;
  const rank = ({ id }: Attempt): number => rankOf({ rate: view.rate(id), score: view.score(id) });
  const choice = firstCopy(ctx, phase, slot.node, {
    ranked: (sought) => (sought === undefined ? view.oldestRunning(phase, "work") : slow),
    // EstimatedTimeLeftComparator: the smallest rank is the longest time left.
    key: (attempt) => -onPaper(1 / rank(attempt)),
    only: [
      // canBeSpeculated.
      [
        "too-young",
        ({ launchedAt, startedAt }) =>
          startedAt !== undefined && view.now >= after(launchedAt, params.lagMs),
      ],
      ["not-slow", { rateBelow: slowTaskPerMs }],
    ],
    refusal: "furthest",
  });
  if (choice.kind === "none") {
    return refuse(ctx, choice.rule, () => ({ meanPerMs, slowTaskPerMs }));
  }
  const { attempt } = choice;
  const ratePerMs = view.rate(attempt.id);
  const timeLeftMs = 1 / rank(attempt);
  const numbers = { timeLeftMs, ratePerMs, slowTaskPerMs, speculated, cap };
  return [copyOn(slot.node, attempt.task, { rule: "longest-time-left", numbers })];
}

/** taskStats: over running and finished tasks, and over the slow ones among them. */
function ratesOf({ memory, params, view }: Late021Context, phase: PhaseId) {
  const rates = { ...(memory.get(phase)?.finished ?? noMoments()) };
  // Two lists of numbers: an object for each running attempt would be kept through the look.
  const ids: AttemptId[] = [];
  const perMs: number[] = [];
  for (const attempt of view.oldestRunning(phase, "work")) {
    const rate = rateOf(view, attempt);
    addMoment(rates, rate);
    ids.push(attempt.id);
    perMs.push(rate);
  }
  const meanPerMs = meanOf(rates);
  const slowTaskPerMs = meanPerMs - params.slowTaskThreshold * deviationOf(rates);
  const slow = ids
    .filter((_, i) => isClearlyBelow(defined(perMs[i], "an attempt's rate"), slowTaskPerMs))
    .map((id) => view.attempt(id));
  return { meanPerMs, slowTaskPerMs, slow };
}

/**
 * The number of speculated tasks at which no further task is speculated: the largest of three
 * limits.
 */
export function capOf(of: {
  readonly tasks: number;
  readonly slots: number;
  readonly speculativeCap: number;
  readonly copiesMin: number;
  readonly slotsShareMin: number;
}): number {
  const shareOfTasks = Math.ceil(of.speculativeCap * of.tasks - ROUNDING);
  const shareOfSlots = Math.ceil(of.slotsShareMin * of.slots - ROUNDING);
  return Math.max(of.copiesMin, shareOfSlots, shareOfTasks);
}

const ROUNDING = 1e-9;

/**
 * EstimatedTimeLeftComparator: the inverse of the time left, smallest first; a score of 1 ranks as
 * 0.9999.
 */
export const rankOf = (of: { readonly rate: number; readonly score: number }): number =>
  of.rate / Math.max(0.0001, 1 - of.score);

/** The rate of the best running attempt of the attempt's task. */
function rateOf(view: View, { id, state, task }: Attempt): number {
  if (view.isAlone(id)) return state === "running" ? view.rate(id) : 0;
  let best = 0;
  for (const { id, state } of view.attemptsOf(task)) {
    if (state === "running") best = Math.max(best, view.rate(id));
  }
  return best;
}

/** The numbers of the first phase in which the node is slow. */
function slowPhase({ memory, params, view }: Late021Context, job: JobId, node: NodeId) {
  for (const { id } of view.job(job).phases) {
    const record = memory.get(id);
    const own = record?.byNode.get(node);
    if (record === undefined || own === undefined) continue;
    const nodeMs = meanOf(own);
    const slowNodeMs = meanOf(record.nodes) + params.slowNodeThreshold * deviationOf(record.nodes);
    if (isClearlyBelow(slowNodeMs, nodeMs)) return { nodeMs, slowNodeMs };
  }
  return undefined;
}

function recordSuccess(memory: Memory, view: View, what: HeardOf<"attempt-succeeded">): void {
  const { launchedAt, node, state, task } = view.attempt(what.attempt);
  const record = memory.get(view.task(task).phase);
  if (state !== "succeeded" || record === undefined) return;
  const durationMs = what.at - launchedAt;
  addMoment(record.finished, 1 / Math.max(1, durationMs));
  const own = record.byNode.get(node) ?? noMoments();
  record.byNode.set(node, own);
  if (own.count > 0) removeMoment(record.nodes, meanOf(own));
  addMoment(own, durationMs);
  addMoment(record.nodes, meanOf(own));
}
