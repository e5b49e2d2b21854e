import { expect, test } from "vitest";
import { LONG_MIN, toLong, wrapLong } from "./long.ts";

test("a double is cut towards 0, and held at both ends", () => {
  expect([1.9, -1.9, 0, Number.NaN].map(toLong)).toEqual([1n, -1n, 0n, 0n]);
  expect(toLong(Number.POSITIVE_INFINITY)).toBe(9_223_372_036_854_775_807n);
  expect(toLong(1e19)).toBe(9_223_372_036_854_775_807n);
  expect(toLong(Number.NEGATIVE_INFINITY)).toBe(-9_223_372_036_854_775_808n);
  expect(toLong(4e18)).toBe(4_000_000_000_000_000_000n);
});

test("a sum beyond 64 bits wraps around, as in Java", () => {
  expect(wrapLong(LONG_MIN - 1n)).toBe(9_223_372_036_854_775_807n);
  expect(wrapLong(1000n - LONG_MIN)).toBe(LONG_MIN + 1000n);
});
