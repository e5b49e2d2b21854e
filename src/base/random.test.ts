import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  exponential,
  integer,
  mulberry32,
  nextBits,
  nextFloat,
  normal,
  pareto,
  pick,
  randomState,
  shuffle,
  split,
  uniform,
} from "./random.ts";
import { mean, median, standardDeviation } from "./stats.ts";

const draw = (n: number, one: () => number) => Array.from({ length: n }, one);

describe("seeded chance", () => {
  test("is xoshiro128**: the published generator's first outputs from state 1, 2, 3, 4", () => {
    const state = { a: 1, b: 2, c: 3, d: 4 };
    expect(draw(4, () => nextBits(state))).toEqual([11_520, 0, 5_927_040, 70_819_200]);
  });

  test("the same seed and stream give the same numbers; the state may be cloned", () => {
    const state = randomState(7, "policy");
    nextFloat(state);
    const copy = structuredClone(state);
    expect(draw(10, () => nextFloat(copy))).toEqual(draw(10, () => nextFloat(state)));
  });

  test("other seeds and other streams give other numbers", () => {
    const firsts = ["", "a", "b", "ab"].flatMap((stream) =>
      [0, 1, 2, -1, 0.5, 2 ** 32, 2 ** 40 + 1].map((seed) => nextFloat(randomState(seed, stream))),
    );
    expect(new Set(firsts).size).toBe(firsts.length);
  });

  test("a split gives each key its own stream, evenly spread, and leaves the parent alone", () => {
    const parent = randomState(3);
    const before = structuredClone(parent);
    const firsts = Array.from({ length: 10_000 }, (_, key) => nextFloat(split(parent, key)));
    expect(new Set(firsts).size).toBe(firsts.length);
    expect(mean(firsts)).toBeCloseTo(0.5, 1);
    expect(standardDeviation(firsts)).toBeCloseTo(Math.sqrt(1 / 12), 2);
    expect(parent).toEqual(before);
    expect(nextFloat(split(randomState(4), 0))).not.toBe(firsts[0]);
  });

  test("floats are in [0, 1) and spread evenly", () => {
    const state = randomState(1);
    const drawn = draw(20_000, () => nextFloat(state));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
    const buckets = Array.from({ length: 10 }, () => 0);
    for (const u of drawn) buckets[Math.floor(u * 10)]! += 1;
    const chiSquare = buckets.reduce((total, n) => total + (n - 2_000) ** 2 / 2_000, 0);
    expect(chiSquare).toBeLessThan(27.9); // 99.9 % of nine degrees of freedom
  });

  test("each distribution has its mean", () => {
    const state = randomState(5);
    expect(mean(draw(50_000, () => exponential(state, 30)))).toBeCloseTo(30, 0);
    expect(mean(draw(50_000, () => uniform(state, { from: 2, to: 4 })))).toBeCloseTo(3, 1);
    expect(median(draw(50_000, () => pareto(state, { minimum: 10, shape: 1.5 })))).toBeCloseTo(
      10 * 2 ** (1 / 1.5),
      0,
    );
    const normals = draw(50_000, () => normal(state));
    expect(mean(normals)).toBeCloseTo(0, 1);
    expect(standardDeviation(normals)).toBeCloseTo(1, 1);
  });

  test("a shuffle keeps its items, and integers stay below their bound", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const state = randomState(seed);
        expect(shuffle(state, items).sort()).toEqual([...items].sort());
        if (items.length > 0) expect(items).toContain(pick(state, items));
        expect(integer(state, items.length + 1)).toBeLessThanOrEqual(items.length);
      }),
    );
  });

  test("every order of three items is a shuffle's result", () => {
    const state = randomState(1);
    const orders = new Set(draw(200, () => 0).map(() => shuffle(state, [1, 2, 3]).join("")));
    expect(orders.size).toBe(6);
  });

  test("mulberry32 of seed 1 begins as published", () => {
    const random = mulberry32(1);
    expect(random()).toBe(0.6270739405881613);
    expect(random()).toBe(0.002735721180215478);
  });
});
