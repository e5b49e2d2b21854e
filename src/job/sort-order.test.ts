import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Key } from "./key.ts";
import { compareKeys } from "./key-order.ts";
import { isSortOrder, orderedKey } from "./sort-order.ts";

const { key } = fc.letrec<{ key: Key; one: Key }>((tie) => ({
  one: fc.oneof(
    fc.constantFrom<Key>(0, -0, Number.NaN, Number.POSITIVE_INFINITY, "", "\0", "a", "a\0", "ab"),
    fc.constantFrom<Key>(null, true, false, "\u00ff", "\ud83d\ude00", "\uffff", "\udc80"),
    fc.double(),
    fc.bigInt(),
    fc.string({ unit: "binary", maxLength: 3 }),
  ),
  key: fc.oneof({ weight: 3, arbitrary: tie("one") }, fc.array(tie("key"), { maxLength: 3 })),
}));

describe("an order", () => {
  test("that descends reverses all keys, of any kind", () => {
    const property = fc.property(key, key, (left, right) => {
      const turned = compareKeys(orderedKey(left, "descending"), orderedKey(right, "descending"));
      expect(Math.sign(turned)).toBe(Math.sign(compareKeys(right, left)));
      expect(orderedKey(left, "ascending")).toBe(left);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test("of a tuple's elements applies to each, and the others ascend", () => {
    const keys: Key[] = [
      ["b", 1, 2],
      ["a", 2, 2],
      ["a", 1, 3],
      ["a", 2, 1],
    ];
    const sorted = (order: Parameters<typeof orderedKey>[1]): readonly Key[] =>
      keys.toSorted((x, y) => compareKeys(orderedKey(x, order), orderedKey(y, order)));
    expect(sorted(["ascending", "descending"]).map(String)).toEqual([
      "a,2,1",
      "a,2,2",
      "a,1,3",
      "b,1,2",
    ]);
    expect(sorted("descending").map(String)).toEqual(["b,1,2", "a,2,2", "a,2,1", "a,1,3"]);
  });

  test("is refused for a key without elements, or an invalid order", () => {
    expect(() => orderedKey("a", ["descending"])).toThrow("sortBy: expected arrays as keys");
    expect([isSortOrder("up"), isSortOrder(["descending", "up"]), isSortOrder(1)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
