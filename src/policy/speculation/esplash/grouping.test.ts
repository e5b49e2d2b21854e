import { describe, expect, test } from "vitest";
import { nextFloat, randomState } from "../../../base/random.ts";
import { nodeId } from "../../../model/ids.ts";
import {
  belongTogether,
  groupVectors,
  merge,
  type PerformanceVector,
  type TaskGroup,
} from "./grouping.ts";

const vectors = (...points: readonly (readonly number[])[]): readonly PerformanceVector[] =>
  points.map((times, index) => ({ node: nodeId(index), times }));

/** The values in each group, groups by their least value. */
const valuesOf = (groups: readonly TaskGroup[]): readonly (readonly (readonly number[])[])[] =>
  groups.map(({ members }) => members.map(({ times }) => times));

const grouped = (...points: readonly (readonly number[])[]) =>
  valuesOf(groupVectors(vectors(...points)));

describe("Algorithm 1", () => {
  test("keeps vectors apart if one is faster in every dimension, fastest first", () => {
    expect(grouped([3, 30], [1, 10], [2, 20])).toEqual([[[1, 10]], [[2, 20]], [[3, 30]]]);
  });

  test("merges two that are each faster than the other in some dimension", () => {
    expect(grouped([1, 20], [2, 10], [5, 50])).toEqual([
      [
        [1, 20],
        [2, 10],
      ],
      [[5, 50]],
    ]);
  });

  test("does not treat two that are equal in a dimension as a conflict", () => {
    expect(grouped([1, 10], [1, 20])).toEqual([[[1, 10]], [[1, 20]]]);
  });

  test("adds to a merged group any vector that overlaps its range in a single dimension", () => {
    // (1, 20) and (3, 10) become the range 1..3, 10..20; (2, 30) lies in it in the first dimension.
    expect(grouped([1, 20], [3, 10], [2, 30], [4, 40])).toEqual([
      [
        [1, 20],
        [2, 30],
        [3, 10],
      ],
      [[4, 40]],
    ]);
  });

  test("continues while a merged group overlaps more", () => {
    // 1..3, 10..20 takes (2.5, 35); its range up to 35 then takes (3.5, 33).
    expect(grouped([1, 20], [3, 10], [2.5, 35], [3.5, 33], [9, 90])).toEqual([
      [
        [1, 20],
        [2.5, 35],
        [3, 10],
        [3.5, 33],
      ],
      [[9, 90]],
    ]);
  });

  test("treats ranges that only touch as overlapping", () => {
    expect(grouped([1, 20], [2, 10], [2, 30])).toEqual([
      [
        [1, 20],
        [2, 10],
        [2, 30],
      ],
    ]);
  });

  test("does nothing in one dimension", () => {
    expect(grouped([3], [1], [2])).toEqual([[[1]], [[2]], [[3]]]);
  });

  test("keeps for every group the range of its members", () => {
    expect(groupVectors(vectors([1, 20], [2, 10]))[0]).toMatchObject({
      min: [1, 10],
      max: [2, 20],
    });
  });
});

/** Algorithm 1 to its letter: every pair of groups, until nothing changes. */
function groupPairwise(points: readonly PerformanceVector[]): readonly TaskGroup[] {
  const groups: TaskGroup[] = points.map((one) => ({
    members: [one],
    min: one.times,
    max: one.times,
  }));
  for (let i = 0; i < groups.length; i++) {
    const j = groups.findIndex((other, at) => at !== i && belongTogether(groups[i]!, other));
    if (j < 0) continue;
    groups[i] = merge(groups[i]!, groups[j]!);
    groups.splice(j, 1);
    i = -1;
  }
  return groups;
}

const asSets = (groups: readonly TaskGroup[]): readonly string[] =>
  groups
    .map(({ members }) =>
      members
        .map(({ node }) => node)
        .sort((a, b) => a - b)
        .join(" "),
    )
    .sort();

test.each([1, 2, 3, 4, 5, 6])(
  "looking at the last group only gives the groups of all pairs (%d)",
  (seed) => {
    const chance = randomState(seed);
    for (let world = 0; world < 60; world++) {
      const dimensions = 1 + Math.floor(nextFloat(chance) * 3);
      const points = Array.from({ length: 1 + Math.floor(nextFloat(chance) * 14) }, () => {
        const speed = Math.floor(nextFloat(chance) * 12);
        // Whole numbers, so that there are ties.
        return Array.from({ length: dimensions }, () => speed + Math.floor(nextFloat(chance) * 3));
      });
      const made = vectors(...points);
      expect(asSets(groupVectors(made)), JSON.stringify(points)).toEqual(
        asSets(groupPairwise(made)),
      );
    }
  },
);
