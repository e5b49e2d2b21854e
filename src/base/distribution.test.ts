import { describe, expect, test } from "vitest";
import {
  type Distribution,
  meanOf,
  probabilityBelow,
  quantileOf,
  UNKNOWN,
} from "./distribution.ts";

const SAMPLES: Distribution = { kind: "samples", rising: [10, 20, 20, 50] };
const POINT: Distribution = { kind: "point", at: 12 };
const EMPTY: Distribution = { kind: "samples", rising: [] };

describe("a distribution", () => {
  test("of samples gives each the same weight", () => {
    expect(meanOf(SAMPLES)).toBe(25);
    expect(quantileOf(SAMPLES, 50)).toBe(20);
    expect(probabilityBelow(SAMPLES, 20)).toBe(0.25);
    expect(probabilityBelow(SAMPLES, 20.1)).toBe(0.75);
    expect(probabilityBelow(SAMPLES, Number.POSITIVE_INFINITY)).toBe(1);
  });

  test("of one point is below only greater limits", () => {
    expect(meanOf(POINT)).toBe(12);
    expect(quantileOf(POINT, 99)).toBe(12);
    expect(probabilityBelow(POINT, 12)).toBe(0);
    expect(probabilityBelow(POINT, 12.5)).toBe(1);
  });

  test("of scaled samples is the samples multiplied, then shifted", () => {
    const scaled: Distribution = {
      kind: "scaled",
      rising: [10, 20, 20, 50],
      mean: 25,
      times: 2,
      plus: 5,
    };
    expect(meanOf(scaled)).toBe(55);
    expect(quantileOf(scaled, 100)).toBe(105);
    expect(probabilityBelow(scaled, 45)).toBe(0.25);
    expect(probabilityBelow(scaled, 45.1)).toBe(0.75);
  });

  test("that is unknown has no mean and gives no probability", () => {
    for (const nothing of [UNKNOWN, EMPTY]) {
      expect(meanOf(nothing)).toBeUndefined();
      expect(quantileOf(nothing, 50)).toBeUndefined();
      expect(probabilityBelow(nothing, 1e9)).toBe(0);
    }
  });
});
