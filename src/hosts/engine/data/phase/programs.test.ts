import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { ProgramBench, type ProgramRun } from "../../../../../test/support/programs.ts";
import { distinct } from "../../../../job/count-distinct.ts";
import { defineFlow, type Flow } from "../../../../job/flow.ts";
import { count, mean, min, sum } from "../../../../job/fold.ts";
import { text, tsv } from "../../../../job/index.ts";
import { mapBytes, words } from "../../../../job/operator.ts";
import { quantile } from "../../../../job/quantile.ts";
import type { JoinOptions } from "../../../../job/records.ts";
import { collect, topK } from "../../../../job/top-k.ts";

const bench = new ProgramBench();
afterAll(() => bench.remove());

const word = fc.constantFrom("a", "b", "ab", "Ä€", "the", "x".repeat(20), "10", "9.5", "-3", "");
const lines = fc.array(
  fc.array(word, { maxLength: 5 }).map((row) => row.join(" ")),
  { maxLength: 40 },
);
const runs: fc.Arbitrary<ProgramRun> = fc.record({
  lines: fc.record({ left: lines, right: lines }),
  reduces: fc.integer({ min: 1, max: 4 }),
  splitBytes: fc.integer({ min: 10, max: 400 }),
});

const tails = mapBytes((bytes, start, end, slice) => {
  const space = bytes.subarray(start, end).indexOf(0x20);
  if (space >= 0) slice(start + space + 1, end);
});

const sizeOf = (line: string): number => line.length / 3;

/** Everything that does not choose partitions by a sample: equal part by part. */
const SAME_PARTS: Readonly<Record<string, Flow>> = {
  "words and a count": defineFlow("words", (f) => {
    f.read("left", text()).words().keyBy().fold("counts", count()).write(tsv());
  }),
  "several folds of one union": defineFlow("folds", (f) => {
    const all = f.read("left", text()).union(f.read("right", text()));
    const sizes = all.flatMap((line) => line.split(" ")).keyBy((one) => one, sizeOf);
    sizes.fold("sum", sum()).write(tsv(), "sum");
    sizes.fold("mean", mean()).write(tsv(), "mean");
    sizes.fold("min", min()).write(tsv(), "min");
    sizes.fold("top", topK(2)).write(tsv(), "top");
    sizes.fold("median", quantile(0.5)).write(tsv(), "median");
    all
      .keyBy((line) => line.length)
      .fold("collected", collect())
      .write(tsv(), "collected");
    all.total("different", distinct()).write(tsv(), "different");
    all.matching("zzz").total("none", count()).write(tsv(), "none");
  }),
  "a reduce that sees values in order, with a combine": defineFlow("reduce", (f) => {
    const pairs = f
      .read("left", text())
      .via(words())
      .keyBy((one) => [one.length, one]);
    pairs
      .reduce("listed", function* ([size, one], values) {
        yield `${size} ${one} ${[...values].join("|")}`;
      })
      .write(tsv(), "listed");
    const ones = pairs.mapValues(() => 1);
    const add = (values: Iterable<number>): number => [...values].reduce((x, y) => x + y, 0);
    ones
      .reduce("added", (key, values) => [[key, add(values)] as const], {
        combine: (_, values) => [add(values)],
      })
      .write(tsv(), "added");
  }),
  "bytes, distinct, and what is read twice": defineFlow(
    { name: "bytes", counters: ["seen"] },
    (f) => {
      const different = f.read("left", text()).via(tails).distinct("different");
      different
        .filter((_, ctx) => {
          ctx.count("seen");
          return true;
        })
        .write(text(), "different");
      different
        .map((line) => line.length)
        .total("bytes", sum())
        .write(tsv(), "bytes");
    },
  ),
  "a loop": defineFlow({ name: "loop", counters: ["long"] }, (f) => {
    const known = f.read("right", text()).words().keyBy();
    const start = f.read("left", text()).words().keyBy().fold("start", count());
    const until = ({ counters }: { counters: Readonly<Record<string, number>> }): boolean =>
      counters.long === 0;
    f.loop("round", start, { most: 4, until }, (state) =>
      state
        .join("known", known, { how: "semi" })
        .union(state)
        .filter(([one], ctx) => {
          if (one.length > 1) ctx.count("long");
          return true;
        })
        .keyBy(
          ([one]) => one.slice(1),
          ([, n]) => n,
        )
        .fold("next", sum()),
    ).write(tsv());
  }),
};

describe("on the data path a program comes to what it means, part by part", () => {
  test.each(Object.entries(SAME_PARTS))("%s", async (_, flow) => {
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { ran, meant } = await bench.both(flow, run);
        expect(ran).toEqual(meant);
      }),
      { numRuns: 6 },
    );
  });
});

const sorted = (parts: readonly (readonly string[])[] | undefined): readonly string[] =>
  (parts ?? []).flat().sort();

const joined = (options: JoinOptions): Flow =>
  defineFlow("joined", (f) => {
    const left = f.read("left", text()).keyBy((line) => line.slice(0, 1));
    const right = f.read("right", text()).keyBy((line) => line.slice(0, 1));
    Reflect.apply(left.join, left, ["join", right, options]).write(tsv());
  });

describe("where a sample chooses partitions, or tasks look up, the whole is the same", () => {
  const ways: readonly JoinOptions[] = [{}, { by: "broadcast" }, { skew: "salt" }];
  const hows = ["inner", "left", "semi", "anti"] as const;
  test.each(hows.flatMap((how) => ways.map((way) => ({ ...way, how }))))("join %o", async (way) => {
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { ran, meant } = await bench.both(joined(way), run);
        expect(sorted(ran.outputs[0])).toEqual(sorted(meant.outputs[0]));
      }),
      { numRuns: 6 },
    );
  });

  test("sortBy: all parts, one after the other, are in order", async () => {
    const flow = defineFlow("sorted", (f) => {
      const all = f.read("left", text());
      all.sortBy("lines").write(text(), "lines");
      all.sortBy("sizes", (line) => -line.length).write(text(), "sizes");
      all
        .words()
        .keyBy()
        .fold("counts", count())
        .sortBy("by-count", ([, n]) => n)
        .write(tsv(), "n");
    });
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { ran, meant } = await bench.both(flow, run);
        expect(ran.outputs.slice(0, 2).map((parts) => parts.flat())).toEqual(
          meant.outputs.slice(0, 2).map((parts) => parts.flat()),
        );
        expect(sorted(ran.outputs[2])).toEqual(sorted(meant.outputs[2]));
      }),
      { numRuns: 12 },
    );
  });

  test("a hot key's records are spread over all partitions", async () => {
    const hot = Array.from({ length: 400 }, (_, i) => `k${i}`);
    const run = { lines: { left: hot, right: ["k", "z"] }, reduces: 4, splitBytes: 500 };
    const { ran, meant } = await bench.both(joined({ skew: "salt" }), run);
    expect(sorted(ran.outputs[0])).toEqual(sorted(meant.outputs[0]));
    expect(ran.outputs[0]?.every((part) => part.length > 50)).toBe(true);
    const plain = await bench.both(joined({}), run);
    expect(plain.ran.outputs[0]?.filter((part) => part.length > 0)).toHaveLength(1);
  });

  test("a key whose values are more than memory has room for", async () => {
    const right = Array.from({ length: 300 }, (_, i) => `k${i}${"x".repeat(5000)}`);
    const lines = { left: ["k1", "a", "k2", "k3"], right };
    const run = { lines, reduces: 1, splitBytes: 500_000, memoryBytes: 4 << 20 };
    for (const how of ["inner", "semi"] as const) {
      const { ran, meant } = await bench.both(joined({ how }), run);
      expect(ran.outputs).toEqual(meant.outputs);
    }
  });
});
