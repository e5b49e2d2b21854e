import { above, below, deviation, mean, sum } from "../figures.ts";
import { type AttemptBook, type Books, isWritten, type NodeBook, scoreAt } from "./books.ts";
import { group } from "./grouping.ts";
import { closest, possibleClusterings } from "./k-means.ts";
import type { Parameters } from "./parameters.ts";

/** A finished task: its type, the node where it ran, and for how long. */
export interface Finished {
  readonly type: number;
  readonly node: number;
  readonly ms: number;
}

/**
 * What the policy may believe: the random centres of Algorithm 2 are unknown, so there may be
 * several minds. What they decide tells the wrong ones apart.
 */
export interface Mind {
  /** By node; nodes that have left keep theirs. */
  readonly levels: Map<number, number>;
  readonly values: Map<number, number>;
  readonly stragglers: Set<number>;
}

export const copyOf = ({ levels, values, stragglers }: Mind): Mind => ({
  levels: new Map(levels),
  values: new Map(values),
  stragglers: new Set(stragglers),
});

export const keyOf = ({ levels, values, stragglers }: Mind): string =>
  JSON.stringify([
    ...[levels, values].map((map) => [...map].sort(([a], [b]) => a - b)),
    [...stragglers].sort((a, b) => a - b),
  ]);

/** The level by which a node is judged, and by which it hosts copies. */
export const levelOf = (mind: Mind, node: number, p: Parameters): number | undefined =>
  mind.levels.get(node) ?? (p.newNodesAreLowest && mind.levels.size > 0 ? 1 : undefined);

/** ST(level, type): the times of the tasks that nodes of the level have finished. */
export const cellOf = (
  { levels }: Mind,
  finished: readonly Finished[],
  { type, level, but }: { readonly type: number; readonly level: number; readonly but?: number },
): number[] =>
  finished
    .filter((one) => one.type === type && levels.get(one.node) === level && one.node !== but)
    .map(({ ms }) => ms);

/**
 * IV-A: the levels that the policy may have found, as levels by node; undefined where no type of
 * task is known on enough nodes.
 */
export function possibleLevels(
  books: Books,
  finished: readonly Finished[],
  p: Parameters,
): readonly ReadonlyMap<number, number>[] | undefined {
  const nodes = books.joined.map(({ id }) => id);
  const dimensions = [...new Set(finished.map(({ type }) => type))]
    .map((type) => meansOf(finished, type, nodes))
    .filter((means) => means.size > 0 && !below(means.size, p.coverage * nodes.length))
    .map((means) => (p.scaled ? dividedByMean(means) : means));
  const vectors = nodes.flatMap((node) => {
    const times = dimensions.flatMap((means) => means.get(node) ?? []);
    return times.length === dimensions.length ? [{ node, times }] : [];
  });
  if (dimensions.length === 0 || vectors.length === 0) return undefined;
  return possibleClusterings(group(vectors), p).map((clustering) => {
    // "A higher level value represents a stronger computation ability."
    const slowestFirst = [...clustering].sort((a, b) => mean(b.center) - mean(a.center));
    const levels = new Map<number, number>();
    for (const [index, { members }] of slowestFirst.entries()) {
      for (const { node } of members) levels.set(node, index + 1);
    }
    for (const node of nodes) {
      const known = [...dimensions.keys()].filter((type) => dimensions[type]!.has(node));
      if (levels.has(node) || known.length === 0) continue;
      const point = known.map((type) => dimensions[type]!.get(node)!);
      const centers = slowestFirst.map(({ center }) => known.map((type) => center[type]!));
      levels.set(node, closest(point, centers).center + 1);
    }
    return levels;
  });
}

/** "The average execution time will be filled in the PV." */
function meansOf(finished: readonly Finished[], type: number, nodes: readonly number[]) {
  const means = new Map<number, number>();
  for (const node of nodes) {
    const times = finished.filter((one) => one.type === type && one.node === node);
    if (times.length > 0) means.set(node, onPaper(mean(times.map(({ ms }) => ms))));
  }
  return means;
}

/** Means that are equal on paper are equal here. */
const onPaper = (ms: number): number => Math.round(ms * 4_096) / 4_096;

function dividedByMean(means: ReadonlyMap<number, number>): Map<number, number> {
  const average = mean([...means.values()]);
  return new Map([...means].map(([node, ms]) => [node, average === 0 ? 0 : ms / average]));
}

interface Epoch {
  readonly from: number;
  readonly finished: readonly Finished[];
  /** The tasks that finished within the epoch. */
  readonly ended: readonly Finished[];
}

/** IV-B: the straggler values at the end of an epoch. */
export function judge(books: Books, mind: Mind, epoch: Epoch, p: Parameters): void {
  const ran = books
    .holding()
    .filter(
      (one) =>
        one.state === "running" &&
        one.startedAt !== undefined &&
        one.startedAt <= epoch.from &&
        levelOf(mind, one.node.id, p) !== undefined &&
        scoreAt(one, epoch.from) < 1 &&
        isWritten(one.task.phase),
    );
  for (const node of books.joined) {
    const own = ran.filter((one) => one.node === node);
    const deficits =
      own.length > 0
        ? own.map((one) => deficitOf(books, mind, { one, ran, epoch }, p))
        : deficitsOfEnded(mind, node, epoch, p);
    if (deficits.length === 0) continue;
    const added = p.averaged ? mean(deficits) : sum(deficits);
    // "SV <- SV + ...".
    const value = p.accumulates ? (mind.values.get(node.id) ?? 0) + added : added;
    mind.values.set(node.id, value);
    // "Once the value exceeds a threshold tau, the node is marked as a straggler."
    if (above(value, p.tau)) mind.stragglers.add(node.id);
    else mind.stragglers.delete(node.id);
  }
}

/** The two sums of IV-B: what a running task adds. */
function deficitOf(
  books: Books,
  mind: Mind,
  of: { readonly one: AttemptBook; readonly ran: readonly AttemptBook[]; readonly epoch: Epoch },
  p: Parameters,
): number {
  const { one, ran, epoch } = of;
  const type = one.task.phase.id;
  const level = levelOf(mind, one.node.id, p)!;
  const times = cellOf(mind, epoch.finished, { type, level });
  // "dividing the elapsed time by the task progress".
  const estT = (books.now - one.startedAt!) / scoreAt(one, books.now);
  const late = times.length === 0 ? 0 : lateness(estT, times, p);
  // "PR records the average progress increase of this type of tasks in the past epoch."
  const gain = (attempt: AttemptBook) => scoreAt(attempt, books.now) - scoreAt(attempt, epoch.from);
  const peers = ran.filter(
    ({ task, node }) => task.phase.id === type && levelOf(mind, node.id, p) === level,
  );
  const others = peers.filter(({ node }) => node !== one.node);
  const compared = p.othersOnly && others.length > 0 ? others : peers;
  const slow = ratio(mean(compared.map(gain)), gain(one));
  return p.timeCoefficient * late + p.rateCoefficient * slow;
}

/** (EstT - mean) / deviation; those "whose EstT values are smaller" than the mean are excluded. */
function lateness(estT: number, times: readonly number[], p: Parameters): number {
  const mu = mean(times);
  const sigma = Math.max(deviation(times), p.deviationMin * mu);
  return estT > mu ? (estT - mu) / sigma : 0;
}

/** PR(i, type(j)) / PR_j. */
function ratio(usual: number, own: number): number {
  if (own > 0) return usual / own;
  return usual > 0 ? Number.POSITIVE_INFINITY : 1;
}

/** A node on which nothing ran through the epoch, by the tasks that it finished within it. */
function deficitsOfEnded(mind: Mind, node: NodeBook, epoch: Epoch, p: Parameters): number[] {
  const level = levelOf(mind, node.id, p);
  if (!p.judgesFinished || level === undefined) return [];
  const own = epoch.ended.filter((one) => one.node === node.id);
  return own.flatMap(({ type, ms }) => {
    const cell = cellOf(mind, epoch.finished, { type, level });
    const but = p.othersOnly ? { but: node.id } : {};
    const others = cellOf(mind, epoch.finished, { type, level, ...but });
    if (cell.length === 0 || others.length === 0) return [];
    const late = lateness(ms, cell, p);
    return [p.timeCoefficient * late + p.rateCoefficient * ratio(ms, mean(others))];
  });
}
