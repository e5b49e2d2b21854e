import { expect, test } from "vitest";
import { select } from "./select.ts";

test("selecting finds the number that sorting puts there", () => {
  let state = 7;
  for (let count = 1; count < 60; count++) {
    const numbers = Float64Array.from({ length: count }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state % (count < 20 ? 5 : 1_000);
    });
    const sorted = Float64Array.from(numbers).sort();
    for (const k of [0, count >> 2, count >> 1, count - 1]) {
      expect(select(numbers, k)).toBe(sorted[k]);
    }
  }
});
