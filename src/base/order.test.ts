import fc from "fast-check";
import { expect, test } from "vitest";
import { ascending, byName, descending } from "./order.ts";

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

const hostName = fc
  .array(fc.oneof(fc.constantFrom("n", "node", "rack"), fc.nat(200).map(String)), { maxLength: 4 })
  .map((parts) => parts.join(""));

test("names are ordered as a collator orders their numbers", () => {
  const { compare } = new Intl.Collator("en", { numeric: true });
  fc.assert(
    fc.property(hostName, hostName, (a, b) => {
      const sign = compare(a, b);
      // Leading zeros are equal to the collator.
      if (sign !== 0) expect(Math.sign(byName(a, b))).toBe(sign);
      expect(Math.sign(byName(b, a))).toBe(-Math.sign(byName(a, b)) + 0);
    }),
  );
  expect(["n10", "n2", "", "n02", "n"].sort(byName)).toEqual(["", "n", "n02", "n2", "n10"]);
});
