import { describe, expect, test } from "vitest";
import { defineFlow } from "./flow.ts";
import { count, sum } from "./fold.ts";
import { csv, ndjson, text } from "./input.ts";
import { defineJob } from "./job.ts";
import { mapBytes } from "./operator.ts";
import { tsv } from "./output.ts";
import { runInline } from "./run-inline.ts";

describe("jobs", () => {
  const wordCount = defineJob({
    counters: ["lines"],
    map(line, { count, emit }) {
      count("lines");
      for (const word of line.split(" ")) emit(word, 1);
    },
    reduce: sum(),
  });

  test("a fold gives a pair for each key, in the order of keys", () => {
    expect(runInline(wordCount, { input: ["a b a", "b c"] })).toMatchObject({
      output: [
        ["a", 2],
        ["b", 2],
        ["c", 1],
      ],
      counters: { lines: 2 },
    });
  });

  test("a reduce gives its returned and emitted records; a map alone gives its pairs", () => {
    const longest = defineJob({
      params: { least: 1 },
      *map(line) {
        yield [line.length, line];
      },
      *reduce(size, lines, ctx) {
        if (size >= ctx.params.least) yield `${size}: ${[...lines].join()}`;
      },
    });
    const input = ["bb", "a", "", "cc"];
    expect(runInline(longest, { input }).output).toEqual(["1: a", "2: bb,cc"]);
    expect(runInline(longest, { input, params: { least: 2 } }).output).toEqual(["2: bb,cc"]);
    const twice = defineJob({
      map: (line) => [
        [line, 1],
        [line, 2],
      ],
    });
    expect(runInline(twice, { input: ["x"] }).output).toEqual([
      ["x", 1],
      ["x", 2],
    ]);
  });

  test("a value that is not a pair, or an undeclared counter, is refused", () => {
    const bad = Reflect.apply(defineJob, undefined, [{ map: () => ["one"] }]);
    expect(() => runInline(bad, { input: ["x"] })).toThrow("expected pairs [key, value]");
  });
});

describe("flows", () => {
  const people = csv("people.csv", { columns: ["name", "town"] });
  const towns = csv("towns.csv", { columns: ["town", "country"] });
  const input = {
    people: [
      { name: "Ann", town: "Ulm" },
      { name: "Bob", town: "Linz" },
      { name: "Cid", town: "Ulm" },
      { name: "Dan", town: "?" },
    ],
    towns: [
      { town: "Ulm", country: "D" },
      { town: "Linz", country: "A" },
      { town: "Bern", country: "CH" },
    ],
  };

  const joined = (
    how: "inner" | "left" | "semi" | "anti",
    more: { by?: "broadcast"; skew?: "salt" } = {},
  ) => {
    const flow = defineFlow("joined", (f) => {
      const left = f.read("people", people).keyBy("town", "name");
      const right = f.read("towns", towns).keyBy("town", "country");
      // The overloads need the kind of join.
      Reflect.apply(left.join, left, ["home", right, { how, ...more }]).write(tsv());
    });
    const byName = (record: unknown): string => JSON.stringify(record);
    return [...runInline(flow, { input }).output].map(byName).sort();
  };

  test.each([
    ["inner", ['["Linz",["Bob","A"]]', '["Ulm",["Ann","D"]]', '["Ulm",["Cid","D"]]']],
    [
      "left",
      ['["?",["Dan",null]]', '["Linz",["Bob","A"]]', '["Ulm",["Ann","D"]]', '["Ulm",["Cid","D"]]'],
    ],
    ["semi", ['["Linz","Bob"]', '["Ulm","Ann"]', '["Ulm","Cid"]']],
    ["anti", ['["?","Dan"]']],
  ] as const)("a join, %s, whichever way the sides meet", (how, expected) => {
    expect(joined(how)).toEqual(expected);
    expect(joined(how, { by: "broadcast" })).toEqual(expected);
    expect(joined(how, { skew: "salt" })).toEqual(expected);
  });

  test("words, matching, bytes and totals", () => {
    const flow = defineFlow("text", (f) => {
      const lines = f.read("lines", text());
      lines.words().keyBy().fold("words", count()).write(tsv(), "words");
      lines.matching("b").total("with-b", count()).write(tsv(), "with-b");
      lines.matching(/^c/).total("none", count()).write(tsv(), "none");
      const afterTab = mapBytes((bytes, start, end, slice) => {
        const tab = bytes.subarray(start, end).indexOf(9);
        if (tab >= 0) slice(start + tab + 1, end);
      });
      lines.via(afterTab).distinct("tails").write(tsv(), "tails");
      lines.sortBy("sorted").write(text(), "sorted");
      lines.sortBy("by-length", (line) => line.length).write(text(), "by-length");
    });
    const input = ["b  a\u00a0x\tä€", "bb", "a\tä€"];
    const { outputs } = runInline(flow, { input });
    expect(outputs).toMatchObject({
      words: [
        ["a", 1],
        ["a\u00a0x", 1],
        ["b", 1],
        ["bb", 1],
        ["ä€", 2],
      ],
      "with-b": [2],
      none: [0],
      tails: ["ä€"],
      sorted: ["a\tä€", "b  a\u00a0x\tä€", "bb"],
      "by-length": ["bb", "a\tä€", "b  a\u00a0x\tä€"],
    });
  });

  test("a loop ends when `until` says so, or after its rounds", () => {
    const halves = (most: number) => {
      const spec = { name: "halves", counters: ["odd", "rounds"] } as const;
      const flow = defineFlow(spec, (f) => {
        const start = f.read("numbers", ndjson(undefined, Number));
        const until = {
          most,
          until: ({ counters }: { counters: Readonly<Record<string, number>> }) =>
            counters.odd === 0,
        };
        f.loop("round", start, until, (state) =>
          state.map((n, ctx) => {
            ctx.count("rounds");
            if (n % 2 === 1) ctx.count("odd");
            return Math.floor(n / 2);
          }),
        ).write(text());
      });
      return runInline(flow, { input: [13, 8] });
    };
    expect(halves(100)).toMatchObject({ output: [3, 2], counters: { odd: 1, rounds: 4 } });
    expect(halves(1)).toMatchObject({ output: [6, 4] });
  });

  test("a loop whose `until` returns neither true nor false is refused", () => {
    const flow = defineFlow("one", (f) => {
      const loop = { most: 3, until: () => JSON.parse("1") };
      f.loop("round", f.read("lines", text()), loop, (state) => state).write(text());
    });
    expect(() => runInline(flow, { input: ["a"] })).toThrow("expected true or false, found number");
  });

  test("a step without records of its own is named", () => {
    const flow = defineFlow("one", (f) => f.read("lines", text()).write(text()));
    expect(() => runInline(flow, { input: { line: [] } })).toThrow("input lines: expected records");
  });
});
