import { expect, test } from "vitest";
import { Lateness } from "./lateness.ts";

/** A bell of 2,000 attempts, and 60 that luck made late. */
const bell = [-2, -1, 0, 1, 2].flatMap((value, n) =>
  Array.from({ length: [100, 500, 800, 500, 100][n] ?? 0 }, (_, i) => value + (i % 4) * 0.25),
);
const fleet = new Lateness([...bell, ...Array.from({ length: 60 }, (_, n) => 3 + n / 10)]);

test("attempts that are all late point to their node, and one late among others does not", () => {
  expect(fleet.logRatio([5, 5.5])).toBeGreaterThan(fleet.logRatio([5]));
  expect(fleet.logRatio([5])).toBeGreaterThan(0);
  expect(fleet.logRatio([0, 0.1, 0.2, 5, 5.5])).toBeLessThan(0);
  expect(fleet.logRatio([0, 0, 0])).toBeLessThan(fleet.logRatio([0]));
});

test("what lies beyond all bins counts in the last ones", () => {
  expect(fleet.logRatio([1e9, 1e9])).toBe(fleet.logRatio([25, 40]));
  expect(fleet.logRatio([-1e9])).toBeLessThanOrEqual(0);
});
