import { describe, expect, test } from "vitest";
import { bracketOf, type Change, changeOf, isByChance, shownOf } from "./change.ts";

const runs = (...responses: readonly number[]) =>
  responses.map((responseMs) => {
    const slotMs = 10 * responseMs;
    return { responseMs, slotMs, copies: 2, wins: 1, hasFurther: true };
  });

const change = (ms: number, half: number): Change => ({
  rho: 0,
  ms,
  lowMs: ms - half,
  highMs: ms + half,
  slotShare: 0,
  copies: 0,
  wins: 0,
});

describe("a change", () => {
  test("is the mean of pairs with one seed, and has no width if all pairs agree", () => {
    const found = changeOf(0, runs(100, 200, 300, 400), runs(90, 190, 290, 390), "again");
    expect(found).toMatchObject({ ms: -10, lowMs: -10, highMs: -10, copies: 2, wins: 1 });
    expect(found.slotShare).toBeCloseTo(-0.04);
  });

  test("is wider where the runs of one pool agree and pools differ", () => {
    const from = runs(100, 100, 100, 100, 100, 100);
    const to = runs(90, 90, 100, 100, 80, 80);
    const width = (luck: "again" | "that-run"): number => {
      const { lowMs, highMs } = changeOf(0, from, to, luck);
      return highMs - lowMs;
    };
    expect(width("again")).toBeGreaterThan(2 * width("that-run"));
  });

  test("of a sample holds one more pair, and what the tasks left out may change", () => {
    const [from, to] = [runs(100, 100, 100, 100), runs(90, 95, 85, 100)];
    const width = (added: { readonly from: number; readonly to: number } | undefined): number => {
      const sampled = (all: typeof from, addedMs: number | undefined) =>
        all.map((one) => (addedMs === undefined ? one : { ...one, addedMs }));
      const pair = [sampled(from, added?.from), sampled(to, added?.to)] as const;
      const { lowMs, highMs } = changeOf(0, ...pair, "that-run");
      return highMs - lowMs;
    };
    const whole = width(undefined);
    // The deviation of a further pair is that of a mean of four, times the root of 4 + 1.
    expect(width({ from: 7, to: 7 })).toBeCloseTo(whole * Math.sqrt(5));
    expect(width({ from: 7, to: 4 })).toBeCloseTo(whole * Math.sqrt(5) + 2 * 3);
  });
});

test("a bracket holds both ends of rho", () => {
  const answer = { byAttempt: change(-20, 5), byTask: change(2, 1) };
  expect(bracketOf(answer)).toEqual({ ms: -9, lowMs: -25, highMs: 3, worstMs: 2 });
});

test("with an estimate of rho, the shown interval covers the whole range of rho", () => {
  const answer = { byAttempt: change(-20, 5), byTask: change(2, 1), atRho: change(-8, 2) };
  expect(shownOf(answer)).toMatchObject({ ms: -8, lowMs: -25, highMs: 3 });
  expect(isByChance(shownOf(answer))).toBe(true);
  expect(isByChance(change(-8, 2))).toBe(false);
});
