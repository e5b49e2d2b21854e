import { expect, test } from "vitest";
import { nextFloat, randomState } from "./random.ts";
import { addRanked, addToMedian, countOf, noneRanked, rankedOf } from "./ranked.ts";

test("the median of an even number of numbers is the upper of the two in the middle", () => {
  const median = noneRanked();
  expect(rankedOf(median)).toBeUndefined();
  const seen = [5, 1, 4, 2, 3].map((value) => {
    addToMedian(median, value);
    return rankedOf(median);
  });
  expect(seen).toEqual([5, 5, 4, 4, 3]);
});

test("there is no number of the rank until there are enough numbers", () => {
  const third = noneRanked();
  const seen = [5, 1, 4, 2, 3, 0].map((value) => {
    addRanked(third, value, 2);
    return rankedOf(third);
  });
  expect(seen).toEqual([undefined, undefined, 5, 4, 3, 2]);
});

test.each([0, 1, 7, 100])("rank %i equals the rank among the sorted numbers", (rank) => {
  const dice = randomState(1, "ranked");
  const ranked = noneRanked();
  const median = noneRanked();
  const values: number[] = [];
  for (let i = 0; i < 300; i++) {
    const value = Math.floor(nextFloat(dice) * 50) - 10;
    values.push(value);
    addRanked(ranked, value, rank);
    addToMedian(median, value);
    const rising = values.toSorted((a, b) => a - b);
    expect(rankedOf(ranked)).toBe(rising[rank]);
    expect(rankedOf(median)).toBe(rising[Math.floor(rising.length / 2)]);
  }
  expect(countOf(ranked)).toBe(300);
});

test("the collection survives cloning", () => {
  const median = noneRanked();
  for (const value of [3, 1, 2]) addToMedian(median, value);
  const clone = structuredClone(median);
  addToMedian(clone, 9);
  expect([rankedOf(median), rankedOf(clone)]).toEqual([2, 3]);
});
