import { expect, test } from "vitest";
import { TimeScale } from "./time-scale.ts";

test("time is stretched within a span, and shifted behind it", () => {
  const scale = new TimeScale([{ from: 10, until: 20, times: 3 }]);
  expect([0, 10, 15, 20, 25, Number.POSITIVE_INFINITY].map((ms) => scale.at(ms))).toEqual([
    0,
    10,
    25,
    40,
    45,
    Number.POSITIVE_INFINITY,
  ]);
});

test("where spans overlap, the farthest from 1 counts", () => {
  const scale = new TimeScale([
    { from: 0, until: 10, times: 0.5 },
    { from: 5, until: 15, times: 0.2 },
  ]);
  expect(scale.at(5)).toBeCloseTo(2.5);
  expect(scale.at(15)).toBeCloseTo(4.5);
  expect(scale.at(20)).toBeCloseTo(9.5);
});

test("without spans, time is as it was", () => {
  expect(new TimeScale([]).at(7)).toBe(7);
});
