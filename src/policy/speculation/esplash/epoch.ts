import { type Moments, meanOf as meanOfMoments } from "../../../base/moments.ts";
import { onPaper } from "../../../base/on-paper.ts";
import type { Ask } from "../../../model/action.ts";
import type { Attempt } from "../../../model/attempt.ts";
import { after, type Instant, type NodeId, type PhaseId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import { refuse } from "../../refuse.ts";
import { isInputWritten } from "../../shared/input-written.ts";
import { findLevels } from "./levels.ts";
import {
  cellOf,
  type EsplashContext,
  fillTable,
  levelOf,
  othersMeanMs,
  setLevels,
} from "./memory.ts";
import type { EsplashParams } from "./params.ts";
import { type Deficit, rateDeficit, stragglerValue, timeDeficit } from "./straggler-value.ts";

/** Ends an epoch: finds the levels if they are due, then every node's straggler value. */
export function endEpoch(ctx: EsplashContext, from: Instant): readonly Ask[] {
  const asks = ctx.params.levels === "" && isClusteringDue(ctx) ? cluster(ctx) : [];
  judge(ctx, from);
  ctx.memory.finished.clear();
  return asks;
}

function isClusteringDue({ memory, params, view }: EsplashContext): boolean {
  const { clusteredAt } = memory;
  return clusteredAt === undefined || view.now >= after(clusteredAt, params.clusterEveryMs);
}

/**
 * §IV-A: the classification at run-time. Without enough vectors the levels stay unchanged. A
 * decrease in the number of levels is reported: nodes that are slow by nature may then be
 * stragglers.
 */
function cluster(ctx: EsplashContext): readonly Ask[] {
  const { memory, params, view } = ctx;
  const nodes = [...view.nodes()].map(({ id }) => id);
  const types = [...memory.times.values()].map((byNode) => meansOf(byNode, nodes));
  const found = findLevels(types, nodes, params, ctx);
  if (found === undefined) return [];
  const before = levelCount([...memory.nodes.values()].map(({ level }) => level));
  const levels = levelCount([...found.values()]);
  memory.clusteredAt = view.now;
  setLevels(memory, found);
  fillTable(memory);
  return levels < before ? refuse(ctx, "fewer-levels", () => ({ levels, before })) : [];
}

/**
 * The means of one type by node. A node that has left has no vector, and does not make the type one
 * that enough nodes have finished.
 */
function meansOf(byNode: ReadonlyMap<NodeId, Moments>, nodes: readonly NodeId[]) {
  const means = new Map<NodeId, number>();
  for (const node of nodes) {
    const all = byNode.get(node);
    // Nodes whose means are equal on paper have equal values: neither is faster than the other.
    if (all !== undefined) means.set(node, onPaper(meanOfMoments(all)));
  }
  return means;
}

const levelCount = (levels: readonly (number | undefined)[]): number =>
  new Set(levels.filter((level) => level !== undefined)).size;

/** A task that ran through the whole epoch. */
interface Judged {
  readonly attempt: Attempt;
  readonly startedAt: Instant;
  readonly type: PhaseId;
  readonly level: number;
  /** The score gained in the epoch: PR_j. */
  readonly gained: number;
}

/**
 * §IV-B. A node where no task ran through the epoch is judged by the tasks that finished there in
 * the epoch: otherwise a node whose tasks are shorter than an epoch would keep its value for ever.
 * A node with neither keeps its value.
 */
function judge(ctx: EsplashContext, from: Instant): void {
  const { memory, params, view } = ctx;
  const byNode = new Map<NodeId, readonly Judged[]>();
  const waiting = new Map<PhaseId, boolean>();
  for (const { id } of view.nodes()) {
    const level = levelOf(memory, id, params.newNodesAreLowest);
    if (level === undefined) continue;
    const judged: Judged[] = [];
    for (const attempt of view.runningOn(id)) {
      const one = judgedOf(view, attempt, { level, from, waiting });
      if (one !== undefined) judged.push(one);
    }
    if (judged.length > 0) byNode.set(id, judged);
  }
  const gains = new Map<PhaseId, Map<number, Gain>>();
  for (const judged of byNode.values()) addGains(gains, judged);
  for (const [node, own] of memory.nodes) {
    const judged = byNode.get(node);
    const deficits =
      judged === undefined ? finishedDeficits(ctx, node) : runningDeficits(ctx, judged, gains);
    if (deficits.length === 0) continue;
    const added = stragglerValue(deficits, params);
    own.stragglerValue = params.accumulates ? own.stragglerValue + added : added;
    // A difference in the last bit of a sum does not count; an infinite value exceeds any
    // threshold.
    if (own.stragglerValue > params.tau * (1 + 1e-9)) memory.stragglers.add(node);
    else memory.stragglers.delete(node);
  }
}

const runningDeficits = (
  ctx: EsplashContext,
  judged: readonly Judged[],
  gains: Gains,
): readonly Deficit[] => {
  const others = ctx.params.othersOnly ? withoutOwn(gains, judged) : gains;
  return judged.map((one) =>
    deficitOf(ctx, one, meanGain(others, one) ?? meanGain(gains, one) ?? 0),
  );
};

/**
 * The tasks that a node has finished in the epoch: EstT is the time a task took, PR one task in
 * that time.
 */
function finishedDeficits(ctx: EsplashContext, node: NodeId): readonly Deficit[] {
  const { memory, params } = ctx;
  const level = levelOf(memory, node, params.newNodesAreLowest);
  if (!params.judgesFinished || level === undefined) return [];
  return (memory.finished.get(node) ?? []).flatMap(({ type, ms }) => {
    const cell = cellOf(memory, type, level);
    const others = params.othersOnly ? othersMeanMs(memory, { type, level, node }) : cell?.meanMs;
    if (cell === undefined || others === undefined) return [];
    // The ratio of one task in the level's time to one task in the node's own time.
    const rate = rateDeficit({ own: others, level: ms });
    return [{ time: timeDeficitOf(params, cell, ms), rate }];
  });
}

function judgedOf(
  view: View,
  attempt: Attempt,
  of: {
    readonly level: number;
    readonly from: Instant;
    readonly waiting: Map<PhaseId, boolean>;
  },
): Judged | undefined {
  const { id, startedAt, state, task } = attempt;
  const { level, from, waiting } = of;
  if (state !== "running" || startedAt === undefined || startedAt > from) return undefined;
  const { phase: type } = view.task(task);
  // A task that waits for missing outputs says nothing about its node.
  const waits = waiting.get(type) ?? !isInputWritten(view, type);
  waiting.set(type, waits);
  if (waits) return undefined;
  const before = view.progressAt(id, from).score;
  if (before >= 1) return undefined;
  return { attempt, startedAt, type, level, gained: view.score(id) - before };
}

/** PR of each cell: the score that running tasks of a type gained on the nodes of a level. */
type Gains = Map<PhaseId, Map<number, Gain>>;

interface Gain {
  sum: number;
  count: number;
}

function addGains(gains: Gains, judged: readonly Judged[]): void {
  for (const { type, level, gained } of judged) {
    const byLevel = gains.get(type) ?? new Map<number, Gain>();
    const { sum, count } = byLevel.get(level) ?? { sum: 0, count: 0 };
    byLevel.set(level, { sum: sum + gained, count: count + 1 });
    gains.set(type, byLevel);
  }
}

/** The cells of a node's tasks, without the node's own tasks. */
function withoutOwn(gains: Gains, judged: readonly Judged[]): Gains {
  const own: Gains = new Map();
  addGains(own, judged);
  const left: Gains = new Map();
  for (const [type, byLevel] of own) {
    const others = new Map<number, Gain>();
    for (const [level, { sum, count }] of byLevel) {
      const all = gains.get(type)?.get(level) ?? { sum: 0, count: 0 };
      others.set(level, { sum: Math.max(0, all.sum - sum), count: all.count - count });
    }
    left.set(type, others);
  }
  return left;
}

/** undefined if no task of the type runs on that level. */
function meanGain(gains: Gains, { type, level }: Judged): number | undefined {
  const { sum, count } = gains.get(type)?.get(level) ?? { sum: 0, count: 0 };
  return count === 0 ? undefined : sum / count;
}

function deficitOf(ctx: EsplashContext, judged: Judged, levelGain: number): Deficit {
  const { estimate, memory, params, view } = ctx;
  const { attempt, gained, level, startedAt, type } = judged;
  const rate = rateDeficit({ own: gained, level: levelGain });
  const cell = cellOf(memory, type, level);
  if (cell === undefined) return { time: 0, rate };
  // EstT: elapsed time / progress, if the estimator is `progress-rate`.
  const estimatedMs = view.now - startedAt + estimate.timeLeft(attempt.id);
  return { time: timeDeficitOf(params, cell, estimatedMs), rate };
}

function timeDeficitOf(
  { deviationMin }: Pick<EsplashParams, "deviationMin">,
  { meanMs, deviationMs }: { readonly meanMs: number; readonly deviationMs: number },
  estimatedMs: number,
): number {
  // One finished task has no deviation, and the deviation of a few equal ones means nothing.
  return timeDeficit({
    estimatedMs,
    meanMs,
    deviationMs: Math.max(deviationMs, deviationMin * meanMs),
  });
}
