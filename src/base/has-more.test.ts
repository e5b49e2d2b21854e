import { expect, test } from "vitest";
import { hasMoreThan } from "./has-more.ts";

test("finds whether there are more items than the count, with as few looks as possible", () => {
  expect(hasMoreThan(2, [1, 2])).toBe(false);
  expect(hasMoreThan(2, [1, 2, 3])).toBe(true);
  expect(hasMoreThan(0, [])).toBe(false);
  let looked = 0;
  function* endless(): Generator<number> {
    for (;;) yield looked++;
  }
  expect(hasMoreThan(3, endless())).toBe(true);
  expect(looked).toBe(4);
});
