import { describe, expect, test } from "vitest";
import { bootstrap, WeightedDistribution } from "./weighted.ts";

const distribution = new WeightedDistribution({
  values: [3, 1, 2],
  weights: [1, 1, 2],
  runs: [0, 1, 1],
});

describe("a weighted distribution", () => {
  test("has its quantile where the weight below reaches the share", () => {
    expect(distribution.quantile(0.25, [1, 1])).toBe(1);
    expect(distribution.quantile(0.5, [1, 1])).toBe(2);
    expect(distribution.quantile(0.75, [1, 1])).toBe(2);
    expect(distribution.quantile(0.76, [1, 1])).toBe(3);
    expect(distribution.quantile(0, [1, 1])).toBe(1);
    expect(distribution.quantile(1, [1, 1])).toBe(3);
  });

  test("counts the runs as often as it is told", () => {
    expect(distribution.quantile(0.5, [1, 0])).toBe(3);
    expect(distribution.quantile(0.5, [4, 1])).toBe(3);
    expect(distribution.shareWhere((value) => value < 3, [2, 1])).toBe(0.6);
  });
});

describe("the bootstrap", () => {
  test("is exact where the runs agree", () => {
    expect(bootstrap(5, () => 7)).toEqual({ value: 7, low: 7, high: 7 });
  });

  test("has the value of all runs once, within its interval", () => {
    const of = (counts: readonly number[]) =>
      counts.reduce((sum, count, run) => sum + count * run, 0) / counts.length;
    const { value, low, high } = bootstrap(20, of);
    expect(value).toBe(9.5);
    // The standard error of the mean of 0 to 19 is 1.29.
    expect(low).toBeGreaterThan(9.5 - 3.5);
    expect(low).toBeLessThan(9.5 - 1.5);
    expect(high).toBeGreaterThan(9.5 + 1.5);
    expect(high).toBeLessThan(9.5 + 3.5);
  });

  test("is paired: a difference that each run has is certain, however the runs differ", () => {
    const level = (counts: readonly number[], shift: number) =>
      counts.reduce((sum, count, run) => sum + count * (run * run + shift), 0) / counts.length;
    const { low, high } = bootstrap(10, (counts) => level(counts, 1) - level(counts, 0));
    expect(low).toBeCloseTo(1, 9);
    expect(high).toBeCloseTo(1, 9);
  });
});
