import { expect, test } from "vitest";
import { smallJob, whyOf } from "../../../test/diagnose/support/small-job.ts";

/** Each node runs three tasks one after another, then three at once, which take so long. */
const crowding = (crowdedMs: number) =>
  smallJob((task) => {
    const nth = Math.floor(task / 4);
    const [startedAt, ms] = nth < 3 ? [nth * 10_500, 10_000] : [31_500 + nth, crowdedMs];
    return { startedAt, endedAt: startedAt + ms + ((task * 37) % 11) * 20 };
  });

test("attempts that slow each other down are told of", () => {
  expect(whyOf(crowding(16_000)).hints.map(({ kind, text }) => [kind, text])).toEqual([
    [
      "crowded",
      "Attempts took longer the more others ran on their node: about 1.2 times as long with 3 at " +
        "once as with 2.3.",
    ],
  ]);
});

test("company that costs no time is no hint", () => {
  expect(whyOf(crowding(10_000)).hints).toEqual([]);
});
