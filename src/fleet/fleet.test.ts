import { expect, test } from "vitest";
import { dayOf } from "./fleet.ts";

test("an instant's day is the calendar's", () => {
  for (let day = -800_000; day < 1_200_000; day += 97) {
    const at = day * 86_400_000 + 12_345_678;
    const known = new Date(at).toISOString().slice(0, 10);
    if (known.startsWith("-") || known.startsWith("+")) continue;
    expect(dayOf(at)).toBe(known);
  }
  expect(dayOf(Date.UTC(2028, 1, 29))).toBe("2028-02-29");
  expect(dayOf(Date.UTC(2028, 2, 1) - 1)).toBe("2028-02-29");
});
