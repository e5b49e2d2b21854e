import { expect, test } from "vitest";
import { randomState } from "../base/random.ts";
import { gamma } from "./gamma.ts";

test.each([0.3, 0.5, 1, 4.5])("mean and variance of shape %s are the shape", (shape) => {
  const state = randomState(1, "gamma");
  const drawn = Array.from({ length: 40_000 }, () => gamma(state, shape));
  const mean = drawn.reduce((a, b) => a + b, 0) / drawn.length;
  const variance = drawn.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / drawn.length;
  expect(mean / shape).toBeCloseTo(1, 1);
  expect(variance / shape).toBeCloseTo(1, 1);
  expect(Math.min(...drawn)).toBeGreaterThan(0);
});
