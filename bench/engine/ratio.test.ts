import { expect, test } from "vitest";
import { median, ratioOf } from "./ratio.ts";

const pairs = (...ratios: readonly number[]) => ratios.map((ours) => ({ ours, peer: 1 }));

test("the ratio is the median of the pairs' ratios, not the ratio of medians", () => {
  const uneven = [
    { ours: 1, peer: 1 },
    { ours: 2, peer: 4 },
    { ours: 9, peer: 3 },
  ];
  expect(ratioOf(uneven).ratio).toBe(1);
});

test("five pairs: between the least and the greatest", () => {
  expect(ratioOf(pairs(0.5, 0.1, 0.4, 0.2, 0.3))).toEqual({ ratio: 0.3, low: 0.1, high: 0.5 });
});

test("twenty pairs: the sign test leaves out five at either end", () => {
  const rising = Array.from({ length: 20 }, (_, i) => i + 1);
  expect(ratioOf(pairs(...rising))).toEqual({ ratio: 10.5, low: 6, high: 15 });
});

test("the median of an even count is between the two in the middle", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});
