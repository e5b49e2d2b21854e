import fc from "fast-check";
import { expect, test } from "vitest";
import { addMoment, deviationOf, meanOf, noMoments, removeMoment } from "./moments.ts";

const of = (values: readonly number[]) => {
  const moments = noMoments();
  for (const value of values) addMoment(moments, value);
  return moments;
};

test("{17, 29} has the mean 23 and the deviation 6 (Hadoop's TestDataStatistics)", () => {
  expect(meanOf(of([17, 29]))).toBe(23);
  expect(deviationOf(of([17, 29]))).toBe(6);
});

test("replacing 17 by 29 leaves no deviation", () => {
  const moments = of([17, 29]);
  removeMoment(moments, 17);
  addMoment(moments, 29);
  expect(meanOf(moments)).toBe(29);
  expect(deviationOf(moments)).toBe(0);
});

test("the deviation follows the definition, and is never NaN for equal numbers", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), (all) => {
      const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
      const squares = all.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      expect(deviationOf(of(all))).toBeCloseTo(Math.sqrt(squares / all.length), 0);
    }),
  );
  expect(deviationOf(of([0.1, 0.1, 0.1]))).toBeCloseTo(0, 7);
});
