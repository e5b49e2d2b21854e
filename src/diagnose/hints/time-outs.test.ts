import { expect, test } from "vitest";
import { lasting, smallJob, whyOf } from "../../../test/diagnose/support/small-job.ts";
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

test("a diagnosis names a time-out that two nodes lost at the same time", () => {
  const late = (tasks: readonly number[], ms: number) =>
    smallJob((task) => (tasks.includes(task) ? lasting(task, ms) : {}));
  expect(whyOf(late([21, 22], 70_100)).hints).toEqual([
    {
      kind: "time-out",
      text:
        "2 attempts each lost about 60 s, the default of HDFS's dfs.client.socket-timeout, at " +
        "the same time.",
      attempts: ["stage 0/21#0", "stage 0/22#0"],
    },
  ]);
  // One node lost it; or what was lost is no time-out.
  expect(whyOf(late([17, 21], 70_100)).hints).toEqual([]);
  expect(whyOf(late([21, 22], 50_100)).hints).toEqual([]);
});

test.each([
  ["jhist", 480_000, "480 s, the default of dfs.datanode.socket.write.timeout"],
  ["jhist", 600_000, "600 s, the default of mapreduce.task.timeout"],
] as const)("%s: %d ms", (format, ms, name) => {
  expect(hintsOf([ms, ms + 1_000], { format })).toEqual([
    `2 attempts each lost about ${name}, at the same time.`,
  ]);
});
