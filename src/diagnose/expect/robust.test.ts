import { expect, test } from "vitest";
import { fitRelative, lowerWeightedMedian, medianOf, robustSigma } from "./robust.ts";

test("the median of any list is the middle of the sorted list", () => {
  for (let n = 1; n < 60; n++) {
    const values = Array.from({ length: n }, (_, i) => ((i * 7_919 + n) % 31) - 10);
    const sorted = values.toSorted((a, b) => a - b);
    const [low, high] = [sorted[(n - 1) >> 1] ?? 0, sorted[n >> 1] ?? 0];
    expect(medianOf(values)).toBe((low + high) / 2);
  }
});

test("the lower weighted median has half of the weight at or below it", () => {
  expect(lowerWeightedMedian([3, 1, 2], [1, 1, 1])).toBe(2);
  expect(lowerWeightedMedian([3, 1, 2], [10, 1, 1])).toBe(3);
  expect(lowerWeightedMedian([1, 2], [1, 1])).toBe(1);
});

test("sigma is not moved by an outlier", () => {
  expect(robustSigma([-1, 1, -1, 1, 1_000])).toBeCloseTo(1.4826);
});

test("a line is found among outliers, which get no weight", () => {
  const size = Float64Array.from({ length: 40 }, (_, i) => i / 10);
  const y = size.map((x, i) => (100 + 30 * x) * (1 + 0.02 * Math.sin(i * 12.9898)));
  y[7] = 9_000;
  y[39] = 12_000;
  const line = fitRelative([size], y);
  expect(line?.coefficients[0]).toBeCloseTo(100, -1);
  expect(line?.coefficients[1]).toBeGreaterThan(28);
  expect(line?.coefficients[1]).toBeLessThan(32);
  expect(line?.t[1]).toBeGreaterThan(20);
});

test("terms that cannot be told apart give no line", () => {
  const x = Float64Array.of(2, 3, 5);
  expect(fitRelative([x, x], Float64Array.of(1, 2, 3))).toBeUndefined();
});
