import { isClearlyBelow } from "../../base/clearly-below.ts";
import { mostFirst } from "../../base/on-paper.ts";
import { ascending } from "../../base/order.ts";
import type { Ask, Slot } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import {
  after,
  type Instant,
  type JobId,
  type NodeId,
  type PhaseId,
  type TaskId,
} from "../../model/ids.ts";
import type { Phase } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { copyablePhases } from "../shared/copyable-phases.ts";
import { type Choice, copyOn, firstCopy, type Search } from "../shared/first-copy.ts";
import { isYoung, slowCopies } from "./late/slow-copies.ts";

const PARAMS = params({
  /** §4: 0.1; §5.4.1 finds 0.2 better where 15 % of the nodes are slow. */
  speculativeCap: {
    default: 0.1,
    max: 1,
    about: "most speculative attempts, as a fraction of the slots of the kind (0.1)",
  },
  /** §4: 25. */
  slowNodeThreshold: {
    default: 25,
    max: 100,
    about: "percentile of node progress below which a node gets no copy (25)",
  },
  /** §4: 25, over the rates of the phase. */
  slowTaskThreshold: {
    default: 25,
    max: 100,
    about: "percentile of progress rates below which a task may be copied (25)",
  },
  /** Milliseconds. §4: one minute. */
  runtimeMsMin: { default: 60_000, about: "time that an attempt must have run (60,000 ms)" },
  /** §4, "another option": 1. */
  copiesMax: {
    default: 1,
    min: 1,
    whole: true,
    about: "most copies of a task at once (1)",
  },
  /** §4, "a potential extension": 0, which ignores locality. */
  nearerWithin: {
    default: 0,
    max: 1,
    about: "fraction of the longest time left below it within which the nearest task is copied (0)",
  },
});

export type LateParams = ParamsOf<typeof PARAMS>;

/** Longest Approximate Time to End. */
export const late: SpeculationPolicy<LateParams, null> = {
  name: "late",
  source:
    "Zaharia, Konwinski, Joseph, Katz, Stoica: Improving MapReduce Performance in Heterogeneous " +
    "Environments, OSDI 2008, §4",
  params: PARAMS,
  needs: ["slot-offers"],
  remember: () => null,

  onIdleSlot: copyLongest,
  idleNeedsAttempts: true,
};

/** LATE that also asks before a waiting task gets the slot; otherwise identical. */
export const lateEarly: SpeculationPolicy<LateParams, null> = {
  ...late,
  name: "late-early",
  source: "Mantri (MSR-TR-2010-69), §6.3: LATE that acts on stragglers early in the phase",
  onContendedSlot: copyLongest,
};

type LateContext = Context<LateParams, null>;
type LateSearch = Search & Required<Pick<Search, "unless" | "within">>;

function copyLongest(ctx: LateContext, job: JobId, slot: Slot): readonly Ask[] {
  const { params, view } = ctx;
  // §4, step 1: nothing is done unless fewer than SpeculativeCap speculative attempts run.
  const running = view.running(slot.kind, SPECULATIVE);
  const { runtimeMsMin, speculativeCap } = params;
  const cap = capOf({ speculativeCap, slots: view.slots(slot.kind) });
  if (running >= cap) return refuse(ctx, "speculative-cap", () => ({ running, cap }));

  // §4, last condition: an attempt must have run for a minute. One check here covers all attempts
  // cheaply.
  const phases = copyablePhases(view, job, slot.kind);
  const first = earliestLaunch(view, phases);
  if (first === undefined) return refuse(ctx, "nothing-running", () => ({}));
  if (view.now < after(first, runtimeMsMin)) {
    return refuse(ctx, "too-young", () => ({ ranMs: view.now - first, runtimeMsMin }));
  }

  // §4, step 2: a node whose total progress is below SlowNodeThreshold gets no copy.
  const nodeProgress = view.nodeProgress(slot.node);
  const slowNode = view.nodeProgressPercentile(params.slowNodeThreshold);
  const node = { nodeProgress, slowNode };
  if (isClearlyBelow(nodeProgress, slowNode)) return refuse(ctx, "slow-node", () => node);

  const found = phases.flatMap(({ id }) => findIn(ctx, id, slot.node));
  const longest = longestOf(ctx, found);
  if (longest === undefined) return found.flatMap((one) => whyNone(ctx, one));
  const why = { rule: "longest-time-left", numbers: { ...longest.figures, running, cap, ...node } };
  return [copyOn(slot.node, longest.task, why)];
}

/** Steps 3 and 4 in a phase. */
function findIn(ctx: LateContext, phase: PhaseId, node: NodeId): readonly Found[] {
  const { estimate, params, view } = ctx;
  const { runtimeMsMin } = params;
  const slowTaskPerMs = view.ratePercentile(phase, params.slowTaskThreshold);
  const search: LateSearch = {
    name: "late slow tasks",
    // §4, step 3: running tasks that are not being speculated, longest time left first.
    among: () => estimate.longestFirst(phase),
    within: () =>
      estimate.longestFirst(phase, { rateBelow: slowTaskPerMs, ranMsMin: runtimeMsMin }),
    unless: [
      // §4, last condition. An attempt that has run for no time has no rate.
      ["too-young", ({ startedAt }) => isYoung(view.now, startedAt, runtimeMsMin)],
      // §4, step 4: among these, the first whose progress rate is below SlowTaskThreshold.
      ["not-slow", (attempt) => !isClearlyBelow(view.rate(attempt.id), slowTaskPerMs)],
    ],
    tells: "first",
  };
  const first = nearestOf(ctx, phase, node, search) ?? firstCopy(ctx, phase, node, search);
  const found: Found[] = [{ ...first, slowTaskPerMs }];
  if (params.copiesMax === 1) return found;
  for (const attempt of slowCopies(ctx, { phase, node, slowTaskPerMs })) {
    found.push({ kind: "copy", attempt, slowTaskPerMs });
  }
  return found;
}

/**
 * §4: "LATE does not take into account data locality ..., although this is a potential extension".
 * Of the tasks that step 4 admits and that have almost as long left as the longest, the one whose
 * data are nearest to the node. undefined if locality is ignored, or none of them may run here.
 */
function nearestOf(
  ctx: LateContext,
  phase: PhaseId,
  node: NodeId,
  search: LateSearch,
): (Choice & { readonly kind: "copy" }) | undefined {
  if (ctx.params.nearerWithin === 0) return undefined;
  const choice = firstCopy({ view: ctx.view, explains: false }, phase, node, {
    ...search,
    name: "late nearest tasks",
    within: () => almostLongest(ctx, search),
    nearest: true,
  });
  return choice.kind === "copy" ? choice : undefined;
}

/** The tasks that may be copied, from the longest time left down to a fraction of it. */
function* almostLongest(
  { estimate, params, view }: LateContext,
  { unless, within }: Pick<LateSearch, "unless" | "within">,
): Generator<Attempt> {
  const { nearerWithin } = params;
  let leastMs: number | undefined;
  for (const attempt of within()) {
    if (!view.isAlone(attempt.id) || unless.some(([, applies]) => applies(attempt))) continue;
    const leftMs = estimate.timeLeft(attempt.id);
    leastMs ??= nearerWithin < 1 ? (1 - nearerWithin) * leftMs : 0;
    if (isClearlyBelow(leftMs, leastMs)) return;
    yield attempt;
  }
}

const SPECULATIVE = { as: "speculative" } as const;

/**
 * The number of speculative attempts at which no further one is launched. "Fewer than the cap"
 * admits an attempt while the cap is not reached, so a fraction of an attempt counts as one.
 */
export function capOf(of: { readonly speculativeCap: number; readonly slots: number }): number {
  // 0.55 x 100 is 55.00000000000001.
  return Math.max(0, Math.ceil(of.speculativeCap * of.slots - 1e-9));
}

/**
 * The earliest launch of a running task; undefined if none runs. COST: O(phases), since running
 * tasks are listed in launch order.
 */
function earliestLaunch(view: View, phases: readonly Phase[]): Instant | undefined {
  let earliest: Instant | undefined;
  for (const { id } of phases) {
    for (const task of view.runningTasks(id)) {
      const launchedAt = view.attemptsOf(task.id)[0]?.launchedAt;
      if (earliest === undefined || (launchedAt ?? earliest) < earliest) earliest = launchedAt;
      break;
    }
  }
  return earliest;
}

/** The result of steps 3 and 4 in a phase. */
type Found = Choice & { readonly slowTaskPerMs: number };

/** The task that would end last, over the phases whose tasks may take the slot. */
function longestOf(ctx: LateContext, found: readonly Found[]): Longest | undefined {
  const longest: Longest[] = [];
  for (const { kind, attempt, slowTaskPerMs } of found) {
    if (kind === "none") continue;
    longest.push({ task: attempt.task, figures: figuresOf(ctx, attempt, slowTaskPerMs) });
  }
  return longest.sort(LONGEST_FIRST)[0];
}

interface Longest {
  readonly task: TaskId;
  readonly figures: Figures;
}

const LONGEST_FIRST = mostFirst<Longest>(
  ({ figures }) => figures.timeLeftMs,
  ascending(({ task }) => task),
);

function whyNone(ctx: LateContext, found: Found): readonly Ask[] {
  const { attempt, slowTaskPerMs } = found;
  if (found.kind === "copy") return [];
  if (attempt === undefined) return refuse(ctx, found.rule, () => ({}));
  return refuse(ctx, found.rule, () => figuresOf(ctx, attempt, slowTaskPerMs), attempt.task);
}

type Figures = ReturnType<typeof figuresOf>;

const figuresOf = ({ estimate, view }: LateContext, { id }: Attempt, slowTaskPerMs: number) => ({
  timeLeftMs: estimate.timeLeft(id),
  ratePerMs: view.rate(id),
  slowTaskPerMs,
});
