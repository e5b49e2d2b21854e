import fc from "fast-check";
import { expect, test } from "vitest";
import { ascending, descending } from "./order.ts";

const items = fc.array(
  fc.record({ key: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(Infinity)), id: fc.nat() }),
);

test("smallest first, and the second key decides ties, infinite ones too", () => {
  fc.assert(
    fc.property(items, (list) => {
      const sorted = list.toSorted(
        ascending(
          ({ key }) => key,
          ascending(({ id }) => id),
        ),
      );
      for (const [i, item] of sorted.entries()) {
        const next = sorted[i + 1];
        if (next === undefined) continue;
        expect(item.key < next.key || (item.key === next.key && item.id <= next.id)).toBe(true);
      }
    }),
  );
});

test("descending reverses the first key and keeps the second", () => {
  const sorted = [
    { key: 1, id: 2 },
    { key: Infinity, id: 5 },
    { key: Infinity, id: 4 },
  ].sort(
    descending(
      ({ key }) => key,
      ascending(({ id }) => id),
    ),
  );
  expect(sorted.map(({ id }) => id)).toEqual([4, 5, 2]);
});

test("a key that is not a number is our bug", () => {
  expect(() => [1, 2].sort(ascending(() => Number.NaN))).toThrow("NaN");
});
