import { expect, test } from "vitest";
import { Buckets } from "./buckets.ts";

test("values are found by their keys, in their order", () => {
  const buckets = new Buckets([10, 11, 12, 13, 14], [3, 1, 3, 0, 3]);
  expect([...buckets.under(3)]).toEqual([10, 12, 14]);
  expect([...buckets.under(1)]).toEqual([11]);
  expect([...buckets.under(0)]).toEqual([13]);
});

test("a key without values, between the others or beyond them, has none", () => {
  const buckets = new Buckets([7, 8], [3, 1]);
  for (const key of [0, 2, 4, 5, 100]) expect([...buckets.under(key)]).toEqual([]);
  expect([...new Buckets([], []).under(0)]).toEqual([]);
});
