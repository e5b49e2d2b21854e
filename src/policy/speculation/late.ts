import { isClearlyBelow } from "../../base/clearly-below.ts";
import { mostFirst } from "../../base/on-paper.ts";
import type { Ask, Slot } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import { after, type JobId, type NodeId, type PhaseId, type TaskId } from "../../model/ids.ts";
import type { Context, SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { copyablePhases, earliestLaunch } from "../shared/copyable-phases.ts";
import { type Condition, copyOn, firstCopy } from "../shared/first-copy.ts";
import { furtherCopies, isAlmostAsLong } from "./late/extensions.ts";
import { LATE_PARAMS, type LateParams } from "./late/params.ts";

/** Longest Approximate Time to End. */
export const late: SpeculationPolicy<LateParams, null> = {
  name: "late",
  source:
    "Zaharia, Konwinski, Joseph, Katz, Stoica: Improving MapReduce Performance in Heterogeneous " +
    "Environments, OSDI 2008, §4",
  params: LATE_PARAMS,
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

function copyLongest(ctx: LateContext, job: JobId, slot: Slot): readonly Ask[] {
  const { params, view } = ctx;
  const { runtimeMsMin, slowNodeThreshold, speculativeCap } = params;
  // §4, step 1: fewer than SpeculativeCap speculative attempts run.
  const running = view.running(slot.kind, { as: "speculative" });
  const cap = capOf({ speculativeCap, slots: view.slots(slot.kind) });
  if (running >= cap) return refuse(ctx, "speculative-cap", () => ({ running, cap }));

  // §4, last condition: an attempt has run for a minute. The first one answers for all.
  const phases = copyablePhases(view, job, slot.kind);
  const first = earliestLaunch(view, phases);
  if (first === undefined) return refuse(ctx, "nothing-running", () => ({}));
  if (view.now < after(first, runtimeMsMin)) {
    return refuse(ctx, "too-young", () => ({ ranMs: view.now - first, runtimeMsMin }));
  }

  // Step 2: the total progress of the node is not below SlowNodeThreshold.
  const nodeProgress = view.nodeProgress(slot.node);
  const slowNode = view.nodeProgressPercentile(slowNodeThreshold);
  const node = { nodeProgress, slowNode };
  if (isClearlyBelow(nodeProgress, slowNode)) return refuse(ctx, "slow-node", () => node);

  // Steps 3 and 4, in each phase whose tasks may take the slot: the task that would end last.
  const found = phases.map(({ id }) => slowTasks(ctx, id, slot.node));
  const [longest] = found.flatMap(({ copies }) => copies).sort(LONGEST_FIRST);
  if (longest === undefined) return found.flatMap(({ refusal }) => refusal);
  const numbers = { ...longest.figures, running, cap, ...node };
  return [copyOn(slot.node, longest.task, { rule: "longest-time-left", numbers })];
}

/** Steps 3 and 4 in a phase: the tasks that may be copied, or why there is none. */
function slowTasks(ctx: LateContext, phase: PhaseId, node: NodeId) {
  const { estimate, params, view } = ctx;
  const slowTaskPerMs = view.ratePercentile(phase, params.slowTaskThreshold);
  const only: readonly Condition[] = [
    ["too-young", { ranMsMin: params.runtimeMsMin }],
    // Step 4: the progress rate is below SlowTaskThreshold.
    ["not-slow", { rateBelow: slowTaskPerMs }],
  ];
  const choice = firstCopy(ctx, phase, node, {
    // Step 3: tasks that are not being speculated on, longest time left first.
    ranked: (sought) => estimate.longestFirst(phase, sought),
    only,
    isTied: ({ id }, longest) =>
      isAlmostAsLong(params, estimate.timeLeft(id), estimate.timeLeft(longest.id)),
    refusal: "first",
  });
  const figuresOf = ({ id }: Attempt) => ({
    timeLeftMs: estimate.timeLeft(id),
    ratePerMs: view.rate(id),
    slowTaskPerMs,
  });
  const { attempt } = choice;
  const numbers = () => (attempt === undefined ? {} : figuresOf(attempt));
  const refusal = choice.kind === "copy" ? [] : refuse(ctx, choice.rule, numbers, attempt?.task);
  const slow = choice.kind === "copy" ? [choice.attempt] : [];
  slow.push(...furtherCopies(ctx, { phase, node, only }));
  return { copies: slow.map((one) => ({ task: one.task, figures: figuresOf(one) })), refusal };
}

const LONGEST_FIRST = mostFirst<{ task: TaskId; figures: { timeLeftMs: number } }>(
  ({ figures }) => figures.timeLeftMs,
  ({ task }) => task,
);

/**
 * The number of speculative attempts at which no further one is launched. "Fewer than the cap"
 * admits an attempt while the cap is not reached, so a fraction of an attempt counts as one.
 */
export const capOf = (of: { readonly speculativeCap: number; readonly slots: number }): number =>
  // 0.55 x 100 is 55.00000000000001.
  Math.max(0, Math.ceil(of.speculativeCap * of.slots - 1e-9));
