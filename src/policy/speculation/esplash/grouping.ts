import type { NodeId } from "../../../model/ids.ts";

/** §IV-A: the time a node takes for each type of task; the lists of all nodes are equally long. */
export interface PerformanceVector {
  readonly node: NodeId;
  readonly times: readonly number[];
}

/** Vectors that belong together, and the range of their values in each dimension. */
export interface TaskGroup {
  readonly members: readonly PerformanceVector[];
  readonly min: readonly number[];
  readonly max: readonly number[];
}

/**
 * Algorithm 1: groups such that each is faster than the next in every dimension, fastest first.
 *
 * The paper compares every pair of groups until nothing changes. With the vectors in the order of
 * their values, a vector that conflicts with any earlier group conflicts with the last one, so
 * comparing with the last is enough. COST: O(n log n) in the number of nodes.
 */
export function groupVectors(vectors: readonly PerformanceVector[]): readonly TaskGroup[] {
  const groups: TaskGroup[] = [];
  for (const vector of vectors.toSorted(byValues)) {
    // Line 1: each vector begins as a group of its own.
    let group: TaskGroup = { members: [vector], min: vector.times, max: vector.times };
    for (let last = groups.at(-1); last !== undefined; last = groups.at(-1)) {
      if (!belongTogether(last, group)) break;
      groups.pop();
      group = merge(last, group);
    }
    groups.push(group);
  }
  return groups;
}

/**
 * Line 8: each group is faster than the other in some dimension. Line 10: a merged group overlaps.
 */
export function belongTogether(one: TaskGroup, other: TaskGroup): boolean {
  if (conflicts(one, other)) return true;
  const isMerged = one.members.length > 1 || other.members.length > 1;
  return isMerged && overlaps(one, other);
}

const conflicts = (one: TaskGroup, other: TaskGroup): boolean =>
  isFasterSomewhere(one, other) && isFasterSomewhere(other, one);

const isFasterSomewhere = ({ max }: TaskGroup, { min }: TaskGroup): boolean =>
  max.some((most, type) => most < min[type]!);

/** Whether the ranges of the groups meet in any dimension. */
const overlaps = (one: TaskGroup, other: TaskGroup): boolean =>
  one.min.some((least, type) => least <= other.max[type]! && one.max[type]! >= other.min[type]!);

/** Lines 9 and 11. */
export function merge(one: TaskGroup, other: TaskGroup): TaskGroup {
  return {
    members: [...one.members, ...other.members],
    min: one.min.map((least, type) => Math.min(least, other.min[type]!)),
    max: one.max.map((most, type) => Math.max(most, other.max[type]!)),
  };
}

/** Orders by the first value, then the second, and so on; then by node. */
function byValues(a: PerformanceVector, b: PerformanceVector): number {
  for (const [type, time] of a.times.entries()) {
    const other = b.times[type]!;
    if (time < other) return -1;
    if (time > other) return 1;
  }
  return a.node < b.node ? -1 : 1;
}
