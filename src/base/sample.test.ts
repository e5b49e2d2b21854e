import fc from "fast-check";
import { expect, test } from "vitest";
import { addToSample, emptySample } from "./sample.ts";

test("keeps all numbers, rising, while there is room", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 50 }), (values) => {
      const sample = emptySample();
      for (const value of values) addToSample(sample, value, 50, { random: () => 0 });
      const rising = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(sample.rising.every((value, index) => value === rising[index])).toBe(true);
      expect(sample.rising).toHaveLength(values.length);
    }),
  );
});

test("then keeps its size, stays rising, and has only numbers that were added", () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer(), chance), { minLength: 10 }), (draws) => {
      const sample = emptySample();
      for (const [value, random] of draws) addToSample(sample, value, 10, { random: () => random });
      expect(sample.rising).toHaveLength(10);
      expect(sample.seen).toBe(draws.length);
      expect(sample.rising).toEqual(sample.rising.toSorted((a, b) => a - b));
      for (const value of sample.rising) expect(draws.map(([given]) => given)).toContain(value);
    }),
  );
});

test("every number is equally likely to be kept", () => {
  // All equally spaced draws for the third number of a sample of two: it enters in two of three.
  const kept = Array.from({ length: 300 }, (_, draw) => {
    const sample = emptySample();
    for (const value of [1, 2, 3]) addToSample(sample, value, 2, { random: () => draw / 300 });
    return sample.rising;
  });
  for (const value of [1, 2, 3]) {
    expect(kept.filter((rising) => rising.includes(value))).toHaveLength(200);
  }
});
