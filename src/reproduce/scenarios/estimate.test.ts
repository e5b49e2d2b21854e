import { describe, expect, test } from "vitest";
import { interval95 } from "../../base/stats.ts";
import { estimate } from "./estimate.ts";
import type { Quantity, Samples } from "./quantity.ts";

const SECONDS: Readonly<Record<string, readonly number[]>> = {
  fast: [10, 20, 30],
  slow: [20, 30, 90],
  rare: [0, 0, 3],
  all: [0, 2, 4],
};
const samples: Samples = (_, setting) => SECONDS[setting] ?? [];
const of = (setting: string): Quantity => ({ kind: "measure", measure: "time", setting });
const world = { samples, runs: 3 };

describe("an estimate", () => {
  test("pairs the runs of one seed before it averages", () => {
    const speedup: Quantity = { kind: "speedup", of: of("fast"), over: of("slow") };
    const { mean, halfWidth } = interval95([2, 1.5, 3]);
    const { value, low, high } = estimate(speedup, "mean", world);
    expect([value, low, high]).toEqual([mean, mean - halfWidth, mean + halfWidth]);
  });

  test("of a share whose base is 0 in some runs is computed from the means", () => {
    const share: Quantity = { kind: "ratio", of: of("rare"), to: of("all") };
    expect(estimate(share, "mean", world).value).toBeNaN();
    const { value, low, high } = estimate(share, "of means", world);
    expect(value).toBe(0.5);
    // Leaving out one seed after the other: 3/6, 3/4 and 0/2.
    const { halfWidth } = interval95([0.5, 3 * 0.5 - 2 * 0.75, 3 * 0.5 - 0]);
    expect(low).toBeCloseTo(0.5 - halfWidth, 12);
    expect(high).toBeCloseTo(0.5 + halfWidth, 12);
  });

  test.each(["mean", "of means"] as const)(
    "of two runs (%s) is as wide as Student's t makes it, not from the one to the other",
    (statistic) => {
      const two = { samples: () => [10, 30], runs: 2 };
      const { value, low, high } = estimate(of("any"), statistic, two);
      // t = 12.706 for one degree of freedom; the standard error of the mean is 10.
      expect([value, low, high].map((each) => Math.round(each))).toEqual([20, -107, 147]);
    },
  );

  test("of means whose base is 0 without one seed has no interval", () => {
    const share: Quantity = { kind: "ratio", of: of("once"), to: of("once") };
    const once = { samples: () => [0, 4], runs: 2 };
    const { value, low, high } = estimate(share, "of means", once);
    expect(value).toBe(1);
    expect([low, high]).toEqual([Number.NaN, Number.NaN]);
  });

  test("of means has the plain interval for a plain quantity", () => {
    const plain = estimate(of("slow"), "mean", world);
    const pooled = estimate(of("slow"), "of means", world);
    expect(pooled.value).toBeCloseTo(plain.value, 12);
    expect(pooled.low).toBeCloseTo(plain.low, 9);
  });

  test.each([
    ["min", 20],
    ["max", 90],
  ] as const)("%s describes the runs, without an interval", (statistic, expected) => {
    const { value, low, high } = estimate(of("slow"), statistic, world);
    expect(value).toBeCloseTo(expected, 5);
    expect([low, high]).toEqual([value, value]);
  });

  test("deviation has the jackknife's interval", () => {
    // Of 20, 30 and 90: 37.86; without one of them 42.43, 49.50 or 7.07.
    const { value, low, high } = estimate(of("slow"), "deviation", world);
    expect(value).toBeCloseTo(37.859, 3);
    const pseudo = [42.4264, 49.4975, 7.0711].map((without) => 3 * 37.8594 - 2 * without);
    const middle = (pseudo[0]! + pseudo[1]! + pseudo[2]!) / 3;
    const squares = pseudo.reduce((sum, x) => sum + (x - middle) ** 2, 0);
    const halfWidth = 4.3027 * Math.sqrt(squares / 2 / 3);
    expect((high - low) / 2).toBeCloseTo(halfWidth, 0);
    expect((high + low) / 2).toBeCloseTo(value, 6);
  });

  test("computes quantities of quantities", () => {
    const [fast, slow] = [of("fast"), of("slow")];
    const value = (quantity: Quantity) => estimate(quantity, "max", world).value;
    expect(value({ kind: "reduction", of: fast, from: slow })).toBeCloseTo(2 / 3, 12);
    expect(value({ kind: "difference", of: fast, from: slow })).toBe(-10);
    expect(value({ kind: "sum", of: [fast, slow, 1] })).toBe(121);
    expect(value({ kind: "mean", of: [fast, slow] })).toBe(60);
    expect(value({ kind: "min", of: [fast, slow] })).toBe(30);
    expect(value({ kind: "max", of: [fast, slow] })).toBe(90);
    const nested: Quantity = { kind: "difference", of: slow, from: fast };
    expect(value({ kind: "ratio", of: nested, to: fast })).toBe(2);
  });
});
