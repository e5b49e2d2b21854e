import { describe, expect, test } from "vitest";
import { logBinomialTail } from "./tails.ts";

describe("tails", () => {
  test("of a binomial variable", () => {
    expect(logBinomialTail(10, 0, 0.3)).toBe(0);
    expect(logBinomialTail(10, 10, 0.5)).toBeCloseTo(10 * Math.log(0.5), 12);
    // 3 or more of 4 heads: 5/16.
    expect(Math.exp(logBinomialTail(4, 3, 0.5))).toBeCloseTo(5 / 16, 12);
    expect(Math.exp(logBinomialTail(40, 3, 0.002))).toBeCloseTo(7.455e-5, 6);
    expect(logBinomialTail(7, 3, 1)).toBe(0);
  });
});
