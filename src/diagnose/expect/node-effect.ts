import { grouped } from "../../base/grouped.ts";
import { exp, log } from "../../base/math.ts";
import { cell } from "../../base/rows.ts";
import type { Limits } from "../limits.ts";
import { NodeScores } from "./node-scores.ts";
import { lowerWeightedMedian, medianOf, robustSigma } from "./robust.ts";
import { type SlowPart, slowPartOf } from "./slow-part.ts";

/** How one attempt compares with what was expected of it. */
export interface Residual {
  readonly node: number;
  readonly phase: number;
  /** log(net duration / expected). */
  readonly r: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

export type NodeVerdict = "slow" | "lasting" | "usual" | "too-few";

export interface NodeEffect {
  readonly node: number;
  readonly attempts: number;
  /** Separate times at which the node ran attempts. */
  readonly times: number;
  /** The node's median relative to its peers'. */
  readonly rawFactor: number;
  /** The same, moved towards 1 as far as the spread between nodes is chance; with its bounds. */
  readonly estimate: number;
  readonly lowFactor: number;
  readonly highFactor: number;
  /** Above 1 only for a node that is called slow; attempts on it are divided by it. */
  readonly factor: number;
  readonly verdict: NodeVerdict;
  /** When the node was slow, if not all the time; its factors are those of this part. */
  readonly part?: SlowPart;
}

const ATTEMPTS_MIN = 3;
const LASTING_ATTEMPTS_MIN = 5;
const LASTING_ABOVE = 1.15;
const LASTING_SHARE = 0.8;
/** A median's standard error over that of a mean. */
const MEDIAN_ERROR = 1.2533;

/**
 * Judges nodes by their residuals. A node is slow if its score exceeds the highest of any node in
 * nearly all shuffles of the residuals within their phases: the log itself says how far chance
 * goes. The medians say how slow it is, while it is slow. `seed` fixes the shuffles.
 */
export function nodeEffects(
  residuals: readonly Residual[],
  limits: Limits,
  { seed, threshold }: { readonly seed: number; readonly threshold?: number },
): { readonly effects: readonly NodeEffect[]; readonly threshold: number } {
  const byNode = grouped([...residuals.keys()], (i) => cell(residuals[i]).node);
  const whole = statistics(
    byNode,
    Float64Array.from(residuals, ({ r }) => r),
  );
  const scores = new NodeScores(residuals, byNode, ATTEMPTS_MIN);
  const recorded = scores.recorded();
  const most = [...recorded.values()].reduce((a, b) => Math.max(a, b), 0);
  const limit = threshold ?? scores.limit({ seed, most });
  const ownOf = (node: number): readonly Residual[] =>
    (byNode.get(node) ?? []).map((i) => cell(residuals[i]));
  const scoresHigh = ({ node }: NodeStatistic): boolean => cell(recorded.get(node)) > limit;
  const parts = scores.parts();
  const judged = whole.map((one): NodeStatistic => {
    const best = scoresHigh(one) ? parts.get(one.node) : undefined;
    if (best === undefined) return one;
    const slowFrom = one.reference + log(limits.slowNodeMin);
    const found = slowPartOf(ownOf(one.node), best, slowFrom);
    if (found === undefined || !scores.isPartRare({ seed, most: best.score })) return one;
    const { part, residuals: own } = found;
    const error = one.error * Math.sqrt(one.count / own.length);
    return { ...one, part, value: medianOf(own) - one.reference, error };
  });
  const spread = betweenNodes(judged);
  const effects = judged.map((one): NodeEffect => {
    const shrunk = one.value * (spread / (spread + one.error * one.error || 1));
    const own = ownOf(one.node);
    const low = exp(shrunk - 1.96 * one.error);
    const estimate = exp(shrunk);
    const isSlow =
      scoresHigh(one) && estimate >= limits.slowNodeMin && low >= limits.slowNodeLowMin;
    const times = separateTimes(own);
    const { part } = one;
    const lasts = isSlow && part === undefined && isLasting(own, times, one.reference, limits);
    const few = one.count < ATTEMPTS_MIN;
    return {
      node: one.node,
      attempts: one.count,
      times: times.length,
      rawFactor: exp(one.value),
      estimate,
      lowFactor: low,
      highFactor: exp(shrunk + 1.96 * one.error),
      factor: isSlow ? estimate : 1,
      verdict: lasts ? "lasting" : isSlow ? "slow" : few ? "too-few" : "usual",
      ...(isSlow && part !== undefined && { part }),
    };
  });
  return { effects, threshold: limit };
}

/** Places of residuals, by node. */
type Places = ReadonlyMap<number, readonly number[]>;

interface NodeStatistic {
  readonly node: number;
  readonly count: number;
  /** The node's median minus the reference. */
  readonly value: number;
  readonly reference: number;
  readonly error: number;
  readonly part?: SlowPart;
}

function statistics(byNode: Places, values: Float64Array): NodeStatistic[] {
  if (byNode.size === 0) return [];
  // Values without their node's median, node after node.
  const centred = new Float64Array(values.length);
  let filled = 0;
  const medians = [...byNode].map(([node, places]) => {
    const own = centred.subarray(filled, filled + places.length);
    for (let n = 0; n < own.length; n++) own[n] = cell(values[cell(places[n])]);
    filled += own.length;
    const median = medianOf(own);
    for (let n = 0; n < own.length; n++) own[n] = cell(own[n]) - median;
    return { node, count: own.length, median };
  });
  const reference = lowerWeightedMedian(
    medians.map(({ median }) => median),
    medians.map(({ count }) => count),
  );
  const sigma = Math.max(robustSigma(centred), 0.01);
  return medians.map(({ node, count, median }) => ({
    node,
    count,
    value: median - reference,
    reference,
    error: (MEDIAN_ERROR * sigma) / Math.sqrt(count),
  }));
}

/** The variance of the nodes' values beyond what their errors explain. */
function betweenNodes(judged: readonly NodeStatistic[]): number {
  if (judged.length < 2) return 0;
  const squares = judged.map(({ value, error }) => value * value - error * error);
  return Math.max(0, squares.reduce((sum, each) => sum + each, 0) / (judged.length - 1));
}

/** Groups of residuals whose attempts overlap in time. */
function separateTimes(own: readonly Residual[]): readonly (readonly Residual[])[] {
  const groups: Residual[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const one of own.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))) {
    // Attempts that overlap the first of a group belong to its time.
    if (one.startedAt >= until) {
      groups.push([]);
      until = one.endedAt;
    }
    groups.at(-1)?.push(one);
  }
  return groups;
}

/** Slow at nearly every time at which the node ran anything. */
function isLasting(
  own: readonly Residual[],
  times: readonly (readonly Residual[])[],
  reference: number,
  limits: Limits,
): boolean {
  const above = log(LASTING_ABOVE);
  const slow = own.filter(({ r }) => r - reference >= above).length;
  const slowTimes = times.filter(
    (group) => medianOf(group.map(({ r }) => r)) - reference >= above,
  ).length;
  return (
    own.length >= LASTING_ATTEMPTS_MIN &&
    times.length >= limits.lastingTimesMin &&
    slow >= LASTING_SHARE * own.length &&
    slowTimes >= LASTING_SHARE * times.length
  );
}
