import { describe, expect, test } from "vitest";
import { sectioned } from "../estimate.ts";
import { partsOf, type WeightedCounts, WeightedDistribution } from "./weighted.ts";

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
    expect(distribution.quantile(0.5, [0, 0])).toBe(Number.NaN);
  });

  test("counts runs by their weights", () => {
    expect(distribution.quantile(0.5, [1, 0])).toBe(3);
    expect(distribution.quantile(0.5, [4, 1])).toBe(3);
    expect(distribution.shareWhere((value) => value < 3, [2, 1])).toBe(0.6);
  });
});

describe("the parts of a number of all runs", () => {
  const row = { figure: "figure", setting: "setting", metric: "metric" };
  const meanOf = (of: (run: number) => number) => (counts: WeightedCounts) =>
    counts.reduce((sum, count, run) => sum + count * of(run), 0) /
    counts.reduce((sum, count) => sum + count, 0);

  test("are its runs, one by one", () => {
    const { whole, parts } = partsOf(
      4,
      meanOf((run) => run),
    );
    expect(whole).toBe(1.5);
    expect(parts).toEqual([0, 1, 2, 3]);
  });

  test("give the interval of Student's t, wide with only two runs", () => {
    const of = (runs: number) => {
      const { low, high } = sectioned(
        row,
        partsOf(
          runs,
          meanOf((run) => run % 2),
        ),
      );
      return (high - low) / 2;
    };
    // 12.7 standard errors of 0.5.
    expect(of(2)).toBeCloseTo(6.353, 3);
    // 2.09 standard errors of 0.5131 / sqrt(20).
    expect(of(20)).toBeCloseTo(0.2401, 4);
  });

  test("are paired: a difference that every run has is certain, however the runs differ", () => {
    const level = (shift: number) => meanOf((run) => run * run + shift);
    const { low, high } = sectioned(
      row,
      partsOf(10, (counts) => level(1)(counts) - level(0)(counts)),
    );
    expect(low).toBeCloseTo(1, 9);
    expect(high).toBeCloseTo(1, 9);
  });

  test("leave out runs without the number, and give no interval for a single one", () => {
    const someOf = (from: number) =>
      partsOf(3, (counts) => {
        const all = counts.reduce((sum, count, run) => sum + (run < from ? 0 : count), 0);
        return counts.reduce((sum, count, run) => sum + (run < from ? 0 : count * run), 0) / all;
      });
    expect(someOf(1)).toEqual({ whole: 1.5, parts: [Number.NaN, 1, 2] });
    expect(sectioned(row, someOf(1)).runs).toBe(2);
    const { value, low, high } = sectioned(row, someOf(2));
    expect(value).toBe(2);
    expect([low, high]).toEqual([Number.NaN, Number.NaN]);
  });
});
