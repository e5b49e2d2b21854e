import { expect, test } from "vitest";
import { Dice } from "../../../test/diagnose/support/dice.ts";
import { chanceOfAtLeast, chanceOfOverlap, expectedNear } from "./chance.ts";

test("the chance of as many by Poisson's law", () => {
  expect(chanceOfAtLeast(0, 3)).toBe(1);
  expect(chanceOfAtLeast(1, 1)).toBeCloseTo(1 - Math.exp(-1), 12);
  expect(chanceOfAtLeast(3, 2)).toBeCloseTo(1 - Math.exp(-2) * (1 + 2 + 2), 12);
});

const CHANCE = 0.001;

test("a smooth tail has no heap near a time-out; a heap of its own stands out", () => {
  let found = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const dice = new Dice(seed);
    // A Pareto tail, as stragglers have.
    const tail = Array.from({ length: dice.whole(1, 200) }, () => 20_000 / dice.next() ** 0.7);
    const near = (values: readonly number[]): number =>
      values.filter((value) => Math.abs(value / 120_000 - 1) <= 0.05).length;
    const chance = (values: readonly number[]): number =>
      chanceOfAtLeast(near(values), expectedNear(values, 120_000, 0.05));
    if (near(tail) >= 2 && chance(tail) <= CHANCE) found += 1;
    const heap = [...tail.slice(0, 30), ...Array.from({ length: 12 }, () => 119_000)];
    expect(chance(heap), `seed ${seed}`).toBeLessThan(CHANCE);
  }
  expect(found).toBeLessThanOrEqual(2);
});

test("intervals that overlap by chance are no heap; those that begin together are", () => {
  const starts = new Map([[0, Array.from({ length: 200 }, (_, n) => 1_000 * n)]]);
  const of = (from: number) => ({ from, until: from + 5_000, group: 0 });
  const spread = Array.from({ length: 20 }, (_, n) => of(10_000 * n));
  expect(chanceOfOverlap(spread, starts, 2)).toBeGreaterThan(0.5);
  expect(chanceOfOverlap(spread, starts, 12)).toBeLessThan(0.01);
});
