import { describe, expect, test } from "vitest";
import type { Run } from "../support/curves.ts";
import { World } from "../support/world.ts";

const MAPS = 100;
const BUSY_MS = 61_000;

/** Map i takes 100 s and i more seconds; a copy takes as long as the first map. */
const takesMs = (index: number, isCopy: boolean): number => 100_000 + (isCopy ? 0 : index * 1_000);

/** 100 maps on 100 slots, each with its own rate; then 100 idle slots are offered at once. */
function copiesInOneMoment(reportEveryMs: number): readonly string[] {
  const world = new World({
    discipline: "late,sharing=fifo-plain",
    sets: ["speculation.speculativeCap=1", "speculation.slowNodeThreshold=0"],
    nodes: MAPS,
    slots: [1, 0],
    explain: false,
    runs: ({ as, task }): Run => ({
      pieces: [{ forMs: takesMs(task.index, as !== "original"), toScore: 1 }],
      end: "succeeded",
      reportEveryMs,
    }),
  });
  world.submit({ maps: MAPS });
  world.advance(BUSY_MS);
  for (let index = 0; index < MAPS; index++) world.join();
  return world.copies();
}

describe("an attempt that has run for no time has no rate", () => {
  test.each([
    { name: "a curve that is always fresh", reportEveryMs: 0 },
    { name: "a curve that is seen every second", reportEveryMs: 1_000 },
  ])("$name: a quarter of the phase is copied in one moment", ({ reportEveryMs }) => {
    const copies = copiesInOneMoment(reportEveryMs);
    const copied = copies.map((text) => Number(/map\/(\d+)/.exec(text)?.[1]));
    // The 25th percentile of 100 rates: the 25 slowest maps, the slowest first.
    expect(copied).toEqual(Array.from({ length: 25 }, (_, i) => MAPS - 1 - i));
  });
});
