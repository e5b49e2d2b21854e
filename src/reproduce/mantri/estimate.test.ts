import { expect, test } from "vitest";
import { sectioned } from "./estimate.ts";

const row = { figure: "fig8", setting: "a", metric: "b" };

test("an interval by sections equals Student's t where the parts lie around the whole", () => {
  const { value, low, high, runs } = sectioned(row, { whole: 2, parts: [1, 2, 3] });
  // t(2) = 4.303, standard deviation 1, three parts.
  expect(value).toBe(2);
  expect(high - value).toBeCloseTo(4.302653 / Math.sqrt(3), 5);
  expect(value - low).toBeCloseTo(high - value, 12);
  expect(runs).toBe(3);
});

test("parts that are biased, because they are small, widen the interval", () => {
  const near = sectioned(row, { whole: 2, parts: [1.9, 2, 2.1] });
  const off = sectioned(row, { whole: 2, parts: [2.9, 3, 3.1] });
  expect(off.high - off.low).toBeGreaterThan(5 * (near.high - near.low));
});

test("a part without measurements is left out", () => {
  const { high, runs } = sectioned(row, { whole: 2, parts: [1, Number.NaN, 2, 3] });
  expect(runs).toBe(3);
  expect(high).toBeCloseTo(sectioned(row, { whole: 2, parts: [1, 2, 3] }).high, 12);
});
