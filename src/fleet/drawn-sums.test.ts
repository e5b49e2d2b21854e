import { describe, expect, test } from "vitest";
import { DrawnSums } from "./drawn-sums.ts";

/** The chance of at least `least` in all draws of hundredths, by adding up all outcomes. */
function exactly(values: readonly number[], count: number, least: number): number {
  const most = Math.max(...values) * count;
  const from = Math.min(...values) * count;
  let chances = new Map([[0, 1]]);
  for (let draw = 0; draw < count; draw++) {
    const next = new Float64Array(most - from + 1);
    for (const [sum, chance] of chances) {
      for (const value of values) {
        next[sum + value - from] = (next[sum + value - from] ?? 0) + chance / values.length;
      }
    }
    chances = new Map(
      [...next.entries()].flatMap(([n, own]) => (own > 0 ? [[n + from, own]] : [])),
    );
  }
  return [...chances].reduce((all, [sum, chance]) => (sum >= least ? all + chance : all), 0);
}

/** Hundredths, as of scores: most are a bit below 0, and of a hundred, some are large. */
const SCORES = Array.from({ length: 100 }, (_, n) => (n < 94 ? (n % 10) - 10 : 35 * (n - 93)));

describe("sums of draws", () => {
  const sums = new DrawnSums(SCORES.map((value) => value / 100));

  test.each([
    [3, [400, 500]],
    [8, [500, 600, 800]],
    [20, [500, 700, 900]],
  ])("of %i have their chance, to a third", (count, leasts) => {
    for (const least of leasts) {
      const exact = exactly(SCORES, count, least);
      expect(exact).toBeGreaterThan(1e-10);
      expect(exact).toBeLessThan(0.02);
      const ratio = sums.chanceOf(count, least / 100) / exact;
      expect(Math.abs(Math.log(ratio))).toBeLessThan(0.3);
    }
  });

  test("that are no exception have the chance 1", () => {
    expect(sums.chanceOf(20, 0)).toBe(1);
    expect(sums.chanceOf(20, -10)).toBe(1);
    expect(new DrawnSums([0.5, 0.5]).chanceOf(4, 2)).toBe(1);
  });

  test("of the largest value alone have the chance of its draws", () => {
    expect(new DrawnSums([0, 0, 0, 1]).chanceOf(3, 3)).toBeCloseTo(1 / 64, 12);
  });
});
