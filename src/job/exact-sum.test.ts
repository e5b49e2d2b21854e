import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addExactly, type ExactSum, max, mean, mergeExactly, min, roundExactly } from "./index.ts";

const exactly = (terms: readonly number[]): number =>
  roundExactly(terms.reduce<ExactSum>(addExactly, 0));

/** The terms split in two by their bits; each half is summed alone, then merged. */
function inHalves(terms: readonly number[], bits: number): number {
  const half = (bit: number) =>
    terms.filter((_, i) => ((bits >> (i % 31)) & 1) === bit).reduce<ExactSum>(addExactly, 0);
  return roundExactly(mergeExactly(half(0), half(1)));
}

describe("an exact sum", () => {
  test("is rounded once", () => {
    expect(exactly([0.1, 0.2, 0.3])).toBe(0.6);
    expect(exactly([1e16, 1, 1, -1e16])).toBe(2);
    expect(exactly([1, 1e100, 1, -1e100])).toBe(2);
    expect(exactly(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(exactly([2 ** 53, 1, 2 ** -1074])).toBe(2 ** 53 + 2);
    expect(exactly([2 ** 53, 1])).toBe(2 ** 53);
  });

  test("survives intermediate overflow", () => {
    const most = Number.MAX_VALUE;
    expect(exactly([most, most, -most])).toBe(most);
    expect(exactly([most, most])).toBe(Number.POSITIVE_INFINITY);
    expect(exactly([most, most, 1, -most, -most])).toBe(1);
    expect(exactly([most, most, 5e-324, -most, -most])).toBe(5e-324);
    expect(exactly([-most, -most, 2 ** -1022, most, most])).toBe(2 ** -1022);
  });

  test("of an infinity is that infinity, of both NaN", () => {
    const infinity = Number.POSITIVE_INFINITY;
    expect(exactly([1, infinity, 0.1, 1e300])).toBe(infinity);
    expect(exactly([0.1, 0.2, -infinity])).toBe(-infinity);
    expect(exactly([infinity, -infinity, 1])).toBeNaN();
    expect(exactly([Number.MAX_VALUE, Number.MAX_VALUE, -infinity, 1])).toBe(-infinity);
  });

  test("does not depend on order or grouping", () => {
    const double = fc.oneof(fc.double(), fc.double({ min: -1, max: 1 }), fc.integer());
    fc.assert(
      fc.property(fc.array(double), fc.integer(), fc.integer(), (terms, bits, others) => {
        const expected = exactly(terms);
        expect(exactly([...terms].reverse())).toBe(expected);
        expect(inHalves(terms, bits)).toBe(expected);
        expect(inHalves(terms, others)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test("of whole numbers stays a plain number", () => {
    expect([1, 2, 3, 2 ** 40].reduce<ExactSum>(addExactly, 0)).toBe(2 ** 40 + 6);
  });

  test("refuses values that are not numbers", () => {
    expect(() => Reflect.apply(addExactly, undefined, [0, "1"])).toThrow("found string");
  });
});

describe("folds", () => {
  const fold = <V, A, R>(by: { init(): A; add(a: A, v: V): A; done(a: A): R }, values: V[]): R =>
    by.done(values.reduce((so, value) => by.add(so, value), by.init()));

  test("mean rounds the sum before it divides", () => {
    expect(fold(mean(), [0.1, 0.2, 0.3])).toBe(0.6 / 3);
  });

  test("min and max follow the order of keys", () => {
    expect(fold(min(), [2, -0, 0])).toBe(-0);
    expect(fold(max(), [1, Number.NaN, Number.POSITIVE_INFINITY])).toBeNaN();
    expect(fold(max<string>(), ["\uffff", "\u{10000}"])).toBe("\u{10000}");
  });
});
