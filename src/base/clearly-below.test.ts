import { expect, test } from "vitest";
import { isClearlyAbove, isClearlyBelow } from "./clearly-below.ts";

test("a last bit makes no difference, a millionth does", () => {
  expect(isClearlyBelow(0.1 + 0.2, 0.3)).toBe(false);
  expect(isClearlyBelow(0.3, 0.1 + 0.2)).toBe(false);
  expect(isClearlyBelow(0.3 - 3e-7, 0.3)).toBe(true);
  expect(isClearlyBelow(1e-9, 2e-9)).toBe(true);
  expect(isClearlyAbove(0.1 + 0.2, 0.3)).toBe(false);
  expect(isClearlyAbove(0.3 + 3e-7, 0.3)).toBe(true);
});

test("no number is below itself, below 0 by nothing, or below an unknown limit", () => {
  expect(isClearlyBelow(5, 5)).toBe(false);
  expect(isClearlyBelow(0, 0)).toBe(false);
  expect(isClearlyBelow(0, Number.NaN)).toBe(false);
  expect(isClearlyBelow(-1, 0)).toBe(true);
  expect(isClearlyBelow(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(false);
  expect(isClearlyBelow(3, Number.POSITIVE_INFINITY)).toBe(true);
});

test("nothing is above infinity, and all else is above its opposite", () => {
  expect(isClearlyAbove(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(false);
  expect(isClearlyAbove(3, Number.POSITIVE_INFINITY)).toBe(false);
  expect(isClearlyAbove(Number.POSITIVE_INFINITY, 3)).toBe(true);
  expect(isClearlyAbove(3, Number.NEGATIVE_INFINITY)).toBe(true);
});
