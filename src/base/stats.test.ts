import { describe, expect, test } from "vitest";
import {
  interval95,
  mean,
  median,
  paired95,
  percentile,
  standardDeviation,
  studentT975,
  variance,
} from "./stats.ts";

describe("statistics", () => {
  test("a sample's variance divides by n - 1", () => {
    expect(mean([17, 29])).toBe(23);
    expect(variance([17, 29])).toBe(72);
    expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.13809, 5);
    expect(variance([3])).toBe(0);
  });

  test("percentiles are interpolated between ranks, as numpy's default", () => {
    expect(percentile([1, 2, 3, 4], 25)).toBe(1.75);
    expect(percentile([1, 2, 3, 4], 0)).toBe(1);
    expect(percentile(Float64Array.of(1, 2, 3, 4), 100)).toBe(4);
    expect(percentile([10], 99)).toBe(10);
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 7])).toBe(6);
  });

  test("a percentile between infinities is infinite, not NaN", () => {
    expect(percentile([1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], 75)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  test("Student's t: table, and expansion beyond it", () => {
    expect(studentT975(1)).toBeCloseTo(12.7062, 4);
    expect(studentT975(29)).toBeCloseTo(2.04523, 5);
    expect(studentT975(31)).toBeCloseTo(2.03951, 5);
    expect(studentT975(60)).toBeCloseTo(2.0003, 4);
    expect(studentT975(1_000_000)).toBeCloseTo(1.959966, 5);
  });

  test("the interval of a mean is t standard errors wide on each side", () => {
    const { mean: center, halfWidth } = interval95([1, 2, 3, 4, 5]);
    expect(center).toBe(3);
    expect(halfWidth).toBeCloseTo(1.963, 3);
    expect(interval95([7])).toEqual({ mean: 7, halfWidth: 0 });
  });

  test("pairs that differ by a constant have an interval of no width", () => {
    expect(paired95({ from: [1, 5, 9], to: [3, 7, 11] })).toEqual({ mean: 2, halfWidth: 0 });
  });
});
