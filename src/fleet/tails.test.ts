import { describe, expect, test } from "vitest";
import { logBinomialTail, logGammaTail } from "./tails.ts";

describe("tails", () => {
  test("of a sum of exponential variables", () => {
    expect(logGammaTail(1, 3)).toBeCloseTo(-3, 12);
    // P = e^-x (1 + x + x^2/2).
    expect(logGammaTail(3, 2)).toBeCloseTo(Math.log(Math.exp(-2) * 5), 12);
    expect(logGammaTail(5, 0)).toBe(0);
    // Half of a large sum lies above its mean, less a sixtieth for its skew.
    expect(Math.exp(logGammaTail(10_000, 10_000))).toBeCloseTo(0.5, 2);
  });

  test("of a binomial variable", () => {
    expect(logBinomialTail(10, 0, 0.3)).toBe(0);
    expect(logBinomialTail(10, 10, 0.5)).toBeCloseTo(10 * Math.log(0.5), 12);
    // 3 or more of 4 heads: 5/16.
    expect(Math.exp(logBinomialTail(4, 3, 0.5))).toBeCloseTo(5 / 16, 12);
    expect(Math.exp(logBinomialTail(40, 3, 0.002))).toBeCloseTo(7.455e-5, 6);
    expect(logBinomialTail(7, 3, 1)).toBe(0);
  });
});
