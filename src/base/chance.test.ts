import { expect, test } from "vitest";
import { type Chance, draw } from "./chance.ts";
import { randomState } from "./random.ts";
import { mean, median } from "./stats.ts";

function drawn(chance: Chance): number[] {
  const state = randomState(1);
  return Array.from({ length: 20_000 }, () => draw(state, chance));
}

test("each kind of chance is drawn as its name says", () => {
  expect(new Set(drawn(7))).toEqual(new Set([7]));
  expect(mean(drawn({ kind: "uniform", from: 10, to: 20 }))).toBeCloseTo(15, 0);
  expect(mean(drawn({ kind: "exponential", mean: 10 }))).toBeCloseTo(10, 0);
  expect(median(drawn({ kind: "lognormal", median: 10, sigma: 0.5 }))).toBeCloseTo(10, 0);
  expect(new Set(drawn({ kind: "choice", values: [1, 1.5] }))).toEqual(new Set([1, 1.5]));
});

test("a Pareto number is never below its minimum nor above its maximum", () => {
  const numbers = drawn({ kind: "pareto", minimum: 10, shape: 1.2, maximum: 500 });
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...numbers)).toBe(500);
  expect(median(numbers)).toBeCloseTo(10 * 2 ** (1 / 1.2), 0);
});
