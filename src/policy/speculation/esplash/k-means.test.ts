import { describe, expect, test } from "vitest";
import { nextFloat, randomState } from "../../../base/random.ts";
import { nodeId } from "../../../model/ids.ts";
import { groupVectors, type TaskGroup } from "./grouping.ts";
import { clusterFrom, clusterGroups, nearest, type TaskCluster } from "./k-means.ts";

const chanceOf = (seed: number) => {
  const state = randomState(seed);
  return { random: () => nextFloat(state) };
};

const together = (...points: readonly (readonly number[])[]): TaskGroup => ({
  members: points.map((times, index) => ({ node: nodeId(index), times })),
  min: [],
  max: [],
});

const valuesOf = (clusters: readonly TaskCluster[]) =>
  clusters.map(({ members }) => members.map(({ times }) => times[0]));

describe("Algorithm 2", () => {
  test("line 2: a vector prefers the nearest centre, of equals the first", () => {
    expect(nearest([3], [[0], [4], [9]])).toBe(1);
    expect(nearest([2], [[0], [4]])).toBe(0);
    expect(
      nearest(
        [0, 3],
        [
          [0, 0],
          [2, 2],
        ],
      ),
    ).toBe(1);
  });

  test("lines 3 and 4: a whole group goes where most of its members want to go", () => {
    // 0 and 1 prefer the centre at 0, 9 the one at 10; alone, 9 would leave.
    const clusters = clusterFrom([together([0], [1], [9]), together([10])], [[0], [10]]);
    expect(valuesOf(clusters)).toEqual([[0, 1, 9], [10]]);
    // The first member has one vote like the others.
    const outvoted = clusterFrom([together([9], [0], [1]), together([10])], [[0], [10]]);
    expect(valuesOf(outvoted)).toEqual([[9, 0, 1], [10]]);
  });

  test("line 3: with equal votes the first centre gets the group", () => {
    const clusters = clusterFrom([together([0], [10]), together([20])], [[10], [0], [20]]);
    expect(valuesOf(clusters)).toEqual([[0, 10], [20]]);
    expect(clusters[0]?.center).toEqual([5]);
  });

  test("line 5: centres move until no group changes", () => {
    // From 1 and 2: {1}, {2, 3, 10, 11, 12} -> centres 1, 7.6 -> {1, 2, 3}, {10, 11, 12}.
    const groups = [1, 2, 3, 10, 11, 12].map((value) => together([value]));
    const clusters = clusterFrom(groups, [[1], [2]]);
    expect(valuesOf(clusters)).toEqual([
      [1, 2, 3],
      [10, 11, 12],
    ]);
    expect(clusters.map(({ center }) => center)).toEqual([[2], [11]]);
  });

  test("a centre that no group wants is dropped", () => {
    expect(valuesOf(clusterFrom([together([0], [1])], [[0], [1]]))).toEqual([[0, 1]]);
  });

  test("line 1: of many starts the one with the least scatter is kept", () => {
    const points = [0, 1, 2, 50, 51, 100, 101, 102, 103].map((value) => [value]);
    const groups = groupVectors(points.map((times, index) => ({ node: nodeId(index), times })));
    const found = clusterGroups(groups, { k: 3, starts: 30 }, chanceOf(1));
    const rising = [...found].sort((a, b) => a.center[0]! - b.center[0]!);
    expect(valuesOf(rising)).toEqual([
      [0, 1, 2],
      [50, 51],
      [100, 101, 102, 103],
    ]);
  });

  test("the same random numbers give the same clusters, and other starts may give others", () => {
    const points = [0, 1, 2, 50, 51, 100, 101, 102, 103].map((value) => [value]);
    const groups = groupVectors(points.map((times, index) => ({ node: nodeId(index), times })));
    const once = (seed: number) =>
      JSON.stringify(valuesOf(clusterGroups(groups, { k: 3, starts: 1 }, chanceOf(seed))).sort());
    const ends = Array.from({ length: 20 }, (_, seed) => once(seed));
    expect(ends).toEqual(Array.from({ length: 20 }, (_, seed) => once(seed)));
    expect(new Set(ends).size).toBeGreaterThan(1);
  });

  test("line 1: centres are of different groups, so that as many groups are found at once", () => {
    const groups = [0, 20, 40, 60].map((least) =>
      together(...[0, 1, 2, 3, 4].map((more) => [least + more])),
    );
    for (let seed = 1; seed <= 20; seed++) {
      expect(clusterGroups(groups, { k: 4, starts: 1 }, chanceOf(seed))).toHaveLength(4);
    }
  });

  test("there are at most as many clusters as different vectors", () => {
    const groups = [together([5]), together([5]), together([5])];
    expect(clusterGroups(groups, { k: 4, starts: 3 }, chanceOf(1))).toHaveLength(1);
  });
});
