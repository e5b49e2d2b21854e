import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { ProgramBench, type ProgramRun } from "../../../test/support/programs.ts";
import { distinct } from "../../job/count-distinct.ts";
import { defineFlow, type Flow } from "../../job/flow.ts";
import { count, mean, min, sum } from "../../job/fold.ts";
import { compareKeys, text, tsv } from "../../job/index.ts";
import { mapBytes, words } from "../../job/operator.ts";
import { quantile } from "../../job/quantile.ts";
import type { JoinOptions } from "../../job/records.ts";
import type { JoinHow } from "../../job/step.ts";
import { collect, topK } from "../../job/top-k.ts";

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

const sorted = (parts: readonly (readonly string[])[] | undefined): readonly string[] =>
  (parts ?? []).flat().sort();

const sizeOf = (line: string): number => line.length / 3;

/** Everything that does not choose partitions by a sample: equal part by part. */
const SAME_PARTS: Readonly<Record<string, Flow>> = {
  "words and a count": defineFlow("words", (f) => {
    f.read("left", text()).words().keyBy().fold("counts", count()).write(tsv());
  }),
  "lines and a count, lines each once": defineFlow("lines", (f) => {
    f.read("left", text()).keyBy().fold("counts", count()).write(tsv(), "counts");
    f.read("right", text()).distinct("different").write(text(), "different");
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

describe("on the data path a program gives its defined result, part by part", () => {
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

const joined = (options: JoinOptions): Flow =>
  defineFlow("joined", (f) => {
    const left = f.read("left", text()).keyBy((line) => line.slice(0, 1));
    const right = f.read("right", text()).keyBy((line) => line.slice(0, 1));
    Reflect.apply(left.join, left, ["join", right, options]).write(tsv());
  });

/** The join's output, by two loops. */
function naiveJoin({ left = [], right = [] }: ProgramRun["lines"], how: JoinHow): string[] {
  const keyOf = (line: string): string => line.slice(0, 1);
  return left
    .flatMap((line) => {
      const key = keyOf(line);
      const met = right.filter((other) => keyOf(other) === key);
      if (how === "semi" || how === "anti") {
        return (how === "semi") === met.length > 0 ? [`${key}\t${line}`] : [];
      }
      if (how === "left" && met.length === 0) return [`${key}\t${line}`];
      return met.map((other) => `${key}\t${line}\t${other}`);
    })
    .sort();
}

test("matching lines and their results: the whole is the same", async () => {
  const flow = defineFlow("matching", (f) => {
    const left = f.read("left", text());
    left.matching("a").matching(/b.*\d/).write(text(), "both");
    left.matching(/the|ab/).write(text(), "either");
    left
      .matching(/(?:x+ )?10/)
      .total("tens", count())
      .write(tsv(), "tens");
    left.matching("a").words().keyBy().fold("words", count()).write(tsv(), "words");
    left.matching(/a b?/).words().distinct("different").write(text(), "different");
    left.matching(/9\.5/).keyBy().fold("lines", count()).write(tsv(), "lines");
    left.matching("the").via(tails).keyBy().fold("tails", count()).write(tsv(), "tails");
    left.total("all", count()).write(tsv(), "all");
    left.union(f.read("right", text())).write(tsv(), "copied");
  });
  await fc.assert(
    fc.asyncProperty(runs, async (run) => {
      const { ran, meant } = await bench.both(flow, run);
      const whole = (parts: readonly (readonly string[])[]): readonly string[] => parts.flat();
      expect(ran.outputs.map(whole)).toEqual(meant.outputs.map(whole));
    }),
    { numRuns: 8 },
  );
});

test("lines that are too different to be counted in a table give the same", async () => {
  const left = Array.from({ length: 150_000 }, (_, i) => `${(i * 7919) % 120_011}`);
  const flow = defineFlow("lines", (f) => {
    f.read("left", text()).keyBy().fold("counts", count()).write(tsv());
  });
  const run = { lines: { left }, reduces: 2, splitBytes: 1 << 22 };
  const { ran } = await bench.both(flow, run);
  const times = new Map<string, number>();
  for (const line of left) times.set(line, (times.get(line) ?? 0) + 1);
  const counts = Array.from(times, ([line, n]) => `${line}\t${n}`);
  expect(sorted(ran.outputs[0]).join("\n")).toBe(counts.sort().join("\n"));
});

describe("where a sample chooses partitions, or tasks look up, the whole is the same", () => {
  const ways: readonly JoinOptions[] = [{}, { by: "broadcast" }, { skew: "salt" }];
  const hows = ["inner", "left", "semi", "anti"] as const;
  test.each(hows.flatMap((how) => ways.map((way) => ({ ...way, how }))))("join %o", async (way) => {
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { ran, meant } = await bench.both(joined(way), run);
        const naive = naiveJoin(run.lines, way.how);
        expect(sorted(ran.outputs[0])).toEqual(naive);
        expect(sorted(meant.outputs[0])).toEqual(naive);
      }),
      { numRuns: 8 },
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
      all.sortBy("down", { order: "descending" }).write(text(), "down");
      all
        .sortBy("both", (line) => [line.length, line], { order: ["descending"] })
        .write(text(), "both");
    });
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { ran, meant } = await bench.both(flow, run);
        expect(ran.outputs.slice(0, 2).map((parts) => parts.flat())).toEqual(
          meant.outputs.slice(0, 2).map((parts) => parts.flat()),
        );
        expect(sorted(ran.outputs[2])).toEqual(sorted(meant.outputs[2]));
        const { left } = run.lines;
        const up = left?.toSorted(compareKeys) ?? [];
        expect(ran.outputs[3]?.flat()).toEqual(up.toReversed());
        expect(ran.outputs[4]?.flat()).toEqual(up.toSorted((x, y) => y.length - x.length));
      }),
      { numRuns: 8 },
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

  test("so are a late hot key's records, behind many others", async () => {
    const rare = Array.from({ length: 2200 }, (_, i) => `${String.fromCodePoint(0x4e00 + i)} rare`);
    const hot = Array.from({ length: 600 }, (_, i) => `k${i}`);
    const lines = { left: [...rare, ...hot], right: ["k", "z"] };
    const run = { lines, reduces: 4, splitBytes: 1 << 20 };
    const { ran } = await bench.both(joined({ skew: "salt" }), run);
    expect(sorted(ran.outputs[0])).toEqual(naiveJoin(lines, "inner"));
    expect(ran.outputs[0]?.map((part) => part.length)).toEqual([150, 150, 150, 150]);
  });

  test("records that are read for a sample count once", async () => {
    const flow = defineFlow({ name: "counted", counters: ["seen"] }, (f) => {
      const seen = f.read("left", text()).filter((_, ctx) => {
        ctx.count("seen");
        return true;
      });
      seen.sortBy("sorted").write(text(), "sorted");
    });
    const left = Array.from({ length: 50 }, (_, i) => `line ${i}`);
    const { ran, meant } = await bench.both(flow, {
      ...{ lines: { left }, reduces: 3, splitBytes: 100 },
    });
    expect(ran.counters).toEqual({ seen: 50 });
    expect(meant.counters).toEqual({ seen: 50 });
  });

  test("a key whose values exceed the memory", async () => {
    const right = Array.from({ length: 300 }, (_, i) => `k${i}${"x".repeat(5000)}`);
    const lines = { left: ["k1", "a", "k2", "k3"], right };
    const run = { lines, reduces: 1, splitBytes: 500_000, memoryBytes: 4 << 20 };
    for (const how of ["inner", "semi"] as const) {
      const { ran, meant } = await bench.both(joined({ how }), run);
      expect(ran.outputs).toEqual(meant.outputs);
    }
  });
});
