import { expect, test } from "vitest";
import type { CopiesRow } from "../document.ts";
import { savingText } from "./saving-text.ts";

const copies = (netSlotMs: number): CopiesRow => ({
  ...{ savedMs: 12_000, lowMs: 9_000, highMs: 15_000, netSlotMs },
  ...{ won: 3, wastedMs: 4_000, atLeastMs: 8_000, made: 5, each: [] },
});

test("what copies saved stands with its interval, and with what they cost or freed", () => {
  const saved =
    "All copies together saved 12.0 s of response (90 %: 9.0 to 15.0), an estimate from what " +
    "their originals would have taken, and ";
  expect(savingText(copies(4_000))).toBe(`${saved}cost 4.0 slot-seconds net.`);
  expect(savingText(copies(-4_000))).toBe(`${saved}freed 4.0 slot-seconds net.`);
});
