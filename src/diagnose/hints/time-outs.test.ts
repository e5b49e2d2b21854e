import { expect, test } from "vitest";
import type { Seen } from "./seen.ts";
import { timeOuts } from "./time-outs.ts";

/** Late attempts by their excess over 20 s, each on a node of its own, a second apart. */
function hintsOf(excesses: readonly number[], more: Partial<Seen> = {}): readonly string[] {
  const count = excesses.length;
  const seen = {
    plan: { start: Float64Array.from(excesses, (_, n) => 1_000 * n) },
    signals: { node: Int32Array.from(excesses, (_, n) => n) },
    causes: {
      own: Float64Array.from(excesses, (ms) => 20_000 + ms),
      expected: new Float64Array(count).fill(20_000),
    },
    late: excesses.map((_, n) => n),
    format: "spark",
    ...more,
  } as unknown as Seen;
  return timeOuts(seen).map(({ text }) => text);
}

test("two attempts that lost a time-out at the same time are named with it", () => {
  expect(hintsOf([119_000, 121_000])).toEqual([
    "2 attempts each lost about 120 s, the default of spark.network.timeout, at the same time.",
  ]);
  expect(hintsOf([119_000])).toEqual([]);
  expect(hintsOf([119_000, 121_000], { format: "jhist" })).toEqual([]);
});

test("a smooth tail has some attempts there, too", () => {
  const tail = Array.from({ length: 60 }, (_, n) => 40_000 * 1.05 ** n);
  expect(tail.filter((ms) => Math.abs(ms / 120_000 - 1) <= 0.05).length).toBeGreaterThanOrEqual(2);
  expect(hintsOf(tail)).toEqual([]);
  // Beside the same tail, a heap stands out.
  const heap = Array.from({ length: 14 }, (_, n) => 119_000 + 100 * n);
  expect(hintsOf([...tail, ...heap])).toHaveLength(1);
});
