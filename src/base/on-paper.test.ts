import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leastFirst, mostFirst, onPaper } from "./on-paper.ts";

/** Times, bytes and gains of all sizes, whole and not, and their neighbours in a double. */
const numbers = fc
  .tuple(
    fc.oneof(
      fc.double({ noNaN: true }),
      fc.double({ min: -1e7, max: 1e7, noNaN: true }),
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.constantFrom(2 ** 32, 2 ** 42, 2 ** 53, 1 / 1024, 1 / 2048, 0, -0),
    ),
    fc.integer({ min: -3, max: 3 }),
  )
  .map(([x, bits]) => x * (1 + bits * Number.EPSILON));

interface Ranked {
  readonly ms: number;
  readonly id: number;
}

const ranked = fc.record({ ms: numbers, id: fc.integer({ min: 0, max: 5 }) });
const ORDERS = { leastFirst: leastFirst(msOf, idOf), mostFirst: mostFirst(msOf, idOf) };

function msOf({ ms }: Ranked): number {
  return ms;
}

function idOf({ id }: Ranked): number {
  return id;
}

describe.each(Object.entries(ORDERS))("%s", (_, order) => {
  test("is a total order: what comes before what comes before z comes before z", () => {
    fc.assert(
      fc.property(ranked, ranked, ranked, (x, y, z) => {
        if (order(x, y) <= 0 && order(y, z) <= 0) expect(order(x, z)).toBeLessThanOrEqual(0);
        if (order(x, y) === 0 && order(y, z) === 0) expect(order(x, z)).toBe(0);
        expect(Math.sign(order(x, y))).toBe(0 - Math.sign(order(y, x)));
      }),
      { numRuns: 5_000 },
    );
  });

  test("sorts a list to the same list, in whatever order it comes", () => {
    const chain = Array.from({ length: 60 }, (_, id) => ({ ms: 1e5 + id * 7e-5, id: 60 - id }));
    const sorted = [...chain].sort(order);
    fc.assert(
      fc.property(fc.shuffledSubarray(chain, { minLength: 60 }), (shuffled) => {
        expect([...shuffled].sort(order)).toEqual(sorted);
      }),
    );
  });
});

describe("a number on paper", () => {
  test("is in the order of the numbers, and changes no more", () => {
    fc.assert(
      fc.property(numbers, numbers, (x, y) => {
        if (x <= y) expect(onPaper(x)).toBeLessThanOrEqual(onPaper(y));
        expect(onPaper(onPaper(x))).toBe(onPaper(x));
      }),
      { numRuns: 5_000 },
    );
  });

  test("is less than a microsecond, or the last of 42 bits, away", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (x) => {
        const width = Math.max(1 / 1024, Math.abs(x) * 2 ** -41);
        expect(Math.abs(onPaper(x) - x)).toBeLessThan(width);
      }),
    );
  });

  test("is the whole number itself up to 2^42, and infinity", () => {
    for (const x of [0, 1, -1, 60_000, 2 ** 24 + 1, 2 ** 42 - 1, 1 - 2 ** 42]) {
      expect(onPaper(x)).toBe(x);
    }
    expect(onPaper(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(onPaper(Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });

  // No quotient of so small a divisor is within 6e-9 of an edge: the rounding errors are smaller.
  test("is the same for all ways to compute a mean of whole milliseconds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 256 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        (sum, count, some, others) => {
          const mean = sum / count;
          const weighted = (some * mean + others * mean) / (some + others);
          expect(onPaper(weighted)).toBe(onPaper(mean));
          expect(onPaper(5e6 + mean - 5e6)).toBe(onPaper(mean));
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
