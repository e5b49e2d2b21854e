import { expect, test } from "vitest";
import { numberRows } from "./number-rows.ts";

test.each([
  ["timeLeftMs", 2_100, "time left", "2.10 s"],
  ["ratePerMs", 0.00031, "rate", "0.31 /s"],
  ["nodeProgress", 15.3, "node progress", "15.3 tasks"],
  ["slowNode", 11.8, "slow node", "11.8 tasks"],
  ["cap", 8, "cap", "8"],
])("%s=%d is shown as %s %s", (number, value, name, text) => {
  expect(numberRows({ [number]: value })).toEqual([{ name, text, raw: `${number}=${value}` }]);
});
