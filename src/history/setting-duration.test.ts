import { expect, test } from "vitest";
import { settingMs } from "./setting-duration.ts";

test.each([
  ["100", 100],
  ["500ms", 500],
  ["3s", 3_000],
  ["1.5 s", 1_500],
  ["2m", 120_000],
  ["2min", 120_000],
  ["1h", 3_600_000],
  ["1D", 86_400_000],
  ["", undefined],
  ["soon", undefined],
  ["3 weeks", undefined],
  ["-1s", undefined],
])("a setting of %j is %s ms", (text, ms) => {
  expect(settingMs(text)).toBe(ms);
});
