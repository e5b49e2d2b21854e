import { isClearlyBelow } from "../../base/clearly-below.ts";
import type { Ask, Slot } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Instant, JobId, NodeId, PhaseId, TaskId } from "../../model/ids.ts";
import type { Phase } from "../../model/job.ts";
import { Shortlist } from "../../model/shortlist.ts";
import { soleAttempt } from "../../model/sole-attempt.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";

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
};

/** LATE that also asks before a waiting task gets the slot: identical otherwise. */
export const lateEarly: SpeculationPolicy<LateParams, null> = {
  ...late,
  name: "late-early",
  source: "Mantri (MSR-TR-2010-69), §6.3: LATE that acts on stragglers early in the phase",
  onContendedSlot: copyLongest,
};

type LateContext = Context<LateParams, null>;

function copyLongest(ctx: LateContext, job: JobId, slot: Slot): readonly Ask[] {
  const { params, view } = ctx;
  if (view.job(job).speculate === false) return refuse(ctx, "job-forbids-copies", () => ({}));
  // §4, step 1: nothing is done unless fewer than SpeculativeCap speculative attempts run.
  const running = view.running(slot.kind, SPECULATIVE);
  const cap = capOf({ ...params, slots: view.slots(slot.kind) });
  if (running >= cap) return refuse(ctx, "speculative-cap", () => ({ running, cap }));

  // §4, last condition: an attempt must have run for a minute. Asked here once for all, being
  // cheap.
  const phases = view.phases(job, slot.kind);
  const earliest = earliestLaunch(view, phases);
  if (earliest === undefined) return refuse(ctx, "nothing-running", () => ({}));
  const ranMs = view.now - earliest;
  const { runtimeMsMin } = params;
  if (ranMs < runtimeMsMin) return refuse(ctx, "too-young", () => ({ ranMs, runtimeMsMin }));

  // §4, step 2: a node whose total progress is below SlowNodeThreshold gets no copy.
  const nodeProgress = view.nodeProgress(slot.node);
  const slowNode = view.nodeProgressPercentile(params.slowNodeThreshold);
  const node = { nodeProgress, slowNode };
  if (isClearlyBelow(nodeProgress, slowNode)) return refuse(ctx, "slow-node", () => node);

  // §4, steps 3 and 4, in each phase whose tasks may take the slot.
  const found = phases.map((phase) => findLongest(ctx, phase.id, slot.node));
  const longest = longestOf(found);
  if (longest === undefined) return found.flatMap(({ refusals }) => refusals);
  const { attempt, timeLeftMs, ratePerMs, slowTaskPerMs } = longest;
  const numbers = { timeLeftMs, ratePerMs, slowTaskPerMs, running, cap, ...node };
  const why = { rule: "longest-time-left", numbers };
  return [{ kind: "launch", task: attempt.task, as: "speculative", node: slot.node, why }];
}

const SPECULATIVE = { as: "speculative" } as const;

/**
 * The number of speculative attempts from which on no other is launched: "fewer than the cap" lets
 * the last one in while the cap is not reached, so that a part of an attempt counts as one.
 */
export function capOf(of: { readonly speculativeCap: number; readonly slots: number }): number {
  // 0.55 x 100 is 55.00000000000001.
  return Math.max(0, Math.ceil(of.speculativeCap * of.slots - 1e-9));
}

/**
 * The earliest launch of a task that runs; undefined if none does. COST: O(phases), since running
 * tasks are listed in the order of their launch.
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

interface Longest {
  readonly attempt: Attempt;
  readonly timeLeftMs: number;
  readonly ratePerMs: number;
  readonly slowTaskPerMs: number;
}

interface Found {
  readonly longest?: Longest;
  readonly refusals: readonly Ask[];
}

function findLongest(ctx: LateContext, phase: PhaseId, node: NodeId): Found {
  const { estimate, params, view } = ctx;
  const slowTaskPerMs = view.ratePercentile(phase, params.slowTaskThreshold);
  const slow = view.held(phase, "late slow tasks", () => slowTasks(ctx, phase, slowTaskPerMs));
  // §4, step 4: the first of them.
  const attempt = slow.firstFor(view, node);
  if (attempt === undefined) return { refusals: whyNone(ctx, { phase, node, slowTaskPerMs }) };
  const timeLeftMs = estimate.timeLeft(attempt.id);
  const longest = { attempt, timeLeftMs, ratePerMs: view.rate(attempt.id), slowTaskPerMs };
  return { longest, refusals: [] };
}

/**
 * §4, steps 3 and 4: running tasks that are not being speculated on, longest time left first; of
 * those, the ones whose progress rate is below SlowTaskThreshold.
 */
function slowTasks(ctx: LateContext, phase: PhaseId, slowTaskPerMs: number): Shortlist {
  const tasks: TaskId[] = [];
  for (const attempt of ctx.estimate.longestFirst(phase)) {
    if (refusalOf(ctx, { attempt, slowTaskPerMs }) === undefined) tasks.push(attempt.task);
  }
  return new Shortlist(tasks);
}

/** Of those passed over, one is told: the first that is not being speculated on. */
function whyNone(
  ctx: LateContext,
  of: { readonly phase: PhaseId; readonly node: NodeId; readonly slowTaskPerMs: number },
): readonly Ask[] {
  if (!ctx.explains) return [];
  const { estimate, view } = ctx;
  const { slowTaskPerMs } = of;
  let passed: { readonly attempt: Attempt; readonly rule: Refusal } | undefined;
  for (const attempt of estimate.longestFirst(of.phase)) {
    const rule = refusalOf(ctx, { attempt, slowTaskPerMs }) ?? "has-run-here";
    if (passed === undefined || passed.rule === "already-speculated") passed = { attempt, rule };
  }
  if (passed === undefined) return refuse(ctx, "nothing-running", () => ({}));
  const { id, task } = passed.attempt;
  const figures = { timeLeftMs: estimate.timeLeft(id), ratePerMs: view.rate(id), slowTaskPerMs };
  return refuse(ctx, passed.rule, () => figures, task);
}

type Refusal = "already-speculated" | "too-young" | "not-slow" | "has-run-here";

function refusalOf(
  { params, view }: LateContext,
  look: { readonly attempt: Attempt; readonly slowTaskPerMs: number },
): Exclude<Refusal, "has-run-here"> | undefined {
  const { id, startedAt, task } = look.attempt;
  if (soleAttempt(view, task) === undefined) return "already-speculated";
  if (startedAt === undefined || startedAt === view.now) return "too-young";
  if (view.now - startedAt < params.runtimeMsMin) return "too-young";
  return isClearlyBelow(view.rate(id), look.slowTaskPerMs) ? undefined : "not-slow";
}

function longestOf(found: readonly Found[]): Longest | undefined {
  let best: Longest | undefined;
  for (const { longest } of found) {
    if (longest === undefined) continue;
    if (best === undefined || longest.timeLeftMs > best.timeLeftMs) best = longest;
  }
  return best;
}
