import { isClearlyBelow } from "../../../base/clearly-below.ts";
import type { PerformanceVector, TaskGroup } from "./grouping.ts";

/** Vectors of one level, and the mean of their values. */
export interface TaskCluster {
  readonly members: readonly PerformanceVector[];
  readonly center: readonly number[];
}

interface Chance {
  /** Uniform in [0, 1). */
  random(): number;
}

/** Rounds after which the search ends: votes may cycle, which distances cannot. */
const ROUNDS_MAX = 100;

/**
 * Algorithm 2, from several random starts: the clusters with the least sum of squared distances to
 * their centres; the first of equals. There may be fewer than `k`, since a centre that no group
 * chooses is dropped.
 */
export function clusterGroups(
  groups: readonly TaskGroup[],
  { k, starts }: { readonly k: number; readonly starts: number },
  chance: Chance,
): readonly TaskCluster[] {
  let best: readonly TaskCluster[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start < starts; start++) {
    const clusters = clusterFrom(groups, randomCenters(groups, k, chance));
    const scatter = scatterOf(clusters);
    if (!isClearlyBelow(scatter, least)) continue;
    best = clusters;
    least = scatter;
  }
  return best;
}

type Point = readonly number[];

/**
 * Line 1: k vectors at random. No two are of one group, since one of the two centres would then
 * attract no group; and no two are equal.
 */
function randomCenters(groups: readonly TaskGroup[], k: number, chance: Chance): readonly Point[] {
  let left = groups.flatMap(({ members }, group) => members.map(({ times }) => ({ times, group })));
  const centers: Point[] = [];
  while (centers.length < k && left.length > 0) {
    const drawn = left[Math.floor(chance.random() * left.length)]!;
    centers.push(drawn.times);
    left = left.filter(
      ({ times, group }) => group !== drawn.group && squareBetween(times, drawn.times) > 0,
    );
  }
  return centers;
}

/** Lines 2 to 5. */
export function clusterFrom(
  groups: readonly TaskGroup[],
  firstCenters: readonly Point[],
): readonly TaskCluster[] {
  let centers = firstCenters;
  let choices: readonly number[] = [];
  let clusters: readonly TaskCluster[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const chosen = groups.map((group) => preferredCenter(group, centers));
    // Line 5: stop when no group changes its centre.
    if (chosen.every((choice, index) => choice === choices[index])) break;
    choices = chosen;
    // Line 4: all vectors of a group go where the group goes. Line 5: the centres are recomputed.
    const members = centers.map((): PerformanceVector[] => []);
    for (const [at, group] of groups.entries()) members[chosen[at]!]!.push(...group.members);
    const found = centers.map((center, index): TaskCluster => {
      const own = members[index]!;
      return { members: own, center: own.length === 0 ? center : meanOf(own) };
    });
    centers = found.map(({ center }) => center);
    clusters = found.filter(({ members }) => members.length > 0);
  }
  return clusters;
}

/** Line 3: the centre with the most votes; the first of equals. */
function preferredCenter({ members }: TaskGroup, centers: readonly Point[]): number {
  const votes = centers.map(() => 0);
  for (const { times } of members) {
    const vote = nearest(times, centers);
    votes[vote] = votes[vote]! + 1;
  }
  return votes.indexOf(Math.max(...votes));
}

/** Line 2: the centre at the least distance; the first of equals. */
export function nearest(point: Point, centers: readonly Point[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < centers.length; index++) {
    const square = squareBetween(point, centers[index]!);
    if (!isClearlyBelow(square, least)) continue;
    best = index;
    least = square;
  }
  return best;
}

// The innermost loop of the clustering: by index, several times as fast as with an iterator.
function squareBetween(a: Point, b: Point): number {
  let sum = 0;
  for (let type = 0; type < a.length; type++) {
    const apart = a[type]! - b[type]!;
    sum += apart * apart;
  }
  return sum;
}

function meanOf(members: readonly PerformanceVector[]): Point {
  const sums = new Array<number>(members[0]?.times.length ?? 0).fill(0);
  for (const { times } of members) {
    for (let type = 0; type < times.length; type++) sums[type] = sums[type]! + times[type]!;
  }
  return sums.map((sum) => sum / members.length);
}

function scatterOf(clusters: readonly TaskCluster[]): number {
  let sum = 0;
  for (const { members, center } of clusters) {
    for (const { times } of members) sum += squareBetween(times, center);
  }
  return sum;
}
