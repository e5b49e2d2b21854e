import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type AsyncContext,
  count,
  defineFlow,
  defineJob,
  mapAsync,
  ndjson,
  runInline,
  runInlineAsync,
  sum,
  text,
  tsv,
} from "./index.ts";

interface Hit {
  readonly user: string;
  readonly bytes: number;
}
const hits = () => ndjson(undefined, (): Hit => ({ user: "ann", bytes: 3 }));

describe("types flow through mapAsync", () => {
  test("in a job: a line is the record, and pairs give the reduce its key and values", () => {
    defineJob({
      map: mapAsync(async (line, ctx) => {
        expectTypeOf(line).toEqualTypeOf<string>();
        expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
        return [[line, line.length]];
      }),
      *reduce(key, values) {
        expectTypeOf(key).toEqualTypeOf<string>();
        expectTypeOf(values).toEqualTypeOf<Iterable<number>>();
        yield key;
      },
    });
  });

  test("in a job: another record is annotated, and must be the input's", () => {
    defineJob({
      input: hits(),
      map: mapAsync(async (hit: Hit) => [[hit.user, hit.bytes]]),
      reduce: sum(),
    });
    // @ts-expect-error: the input's records are no texts.
    defineJob({ input: hits(), map: mapAsync(async (line) => [[line, 1]]) });
  });

  test("in a job: an annotated context must fit the job's counters and parameters", () => {
    type Ctx = AsyncContext<"slow", { url: string }>;
    const map = mapAsync(async (line, ctx: Ctx) => {
      ctx.count("slow");
      expectTypeOf(ctx.params.url).toEqualTypeOf<string>();
      return [[line, 1]];
    });
    defineJob({ counters: ["slow"], params: { url: "" }, map });
    // @ts-expect-error: the counter is not declared.
    defineJob({ counters: ["quick"], params: { url: "" }, map });
  });

  test("in a flow: records and contexts are those of the flow", () => {
    defineFlow({ name: "types", counters: ["odd"], params: { limit: 10 } }, (f) => {
      f.read("hits", hits())
        .mapAsync(async (hit, ctx) => {
          expectTypeOf(hit).toEqualTypeOf<Hit>();
          expectTypeOf(ctx.index).toEqualTypeOf<number>();
          ctx.count("odd");
          // @ts-expect-error: not a declared counter.
          if (ctx.params.limit === 0) ctx.count("even");
          return [hit.user, hit.bytes] as const;
        })
        .map((pair) => expectTypeOf(pair).toEqualTypeOf<readonly [string, number]>())
        .write(tsv());
    });
  });
});

describe("an option that mapAsync cannot take is refused", () => {
  const one = async (): Promise<void> => {};
  test.each([
    [{ concurrency: 0 }, "mapAsync: concurrency: expected a whole number from 1, found 0"],
    [{ concurrency: "8" }, 'mapAsync: concurrency: expected a whole number from 1, found "8"'],
    [{ concurrency: Number.POSITIVE_INFINITY }, "expected a whole number from 1, found Infinity"],
    [{ retries: -1 }, "mapAsync: retries: expected a whole number from 0, found -1"],
    [{ timeoutMs: 0.5 }, "mapAsync: timeoutMs: expected milliseconds, a whole number from 1 to"],
    [
      { backoffMs: 2 ** 31 },
      "mapAsync: backoffMs: expected milliseconds, a whole number from 1 to",
    ],
    [{ speculate: "no" }, 'mapAsync: speculate: expected true or false, found "no"'],
    [
      { concurency: 8 },
      "concurency: expected one of: concurrency, timeoutMs, retries, backoffMs, speculate",
    ],
    [8, "mapAsync: expected an object of options, found 8"],
  ])("%j", (options, says) => {
    expect(() => Reflect.apply(mapAsync, undefined, [one, options])).toThrow(says);
  });

  test("an option that is left out has its default", () => {
    const { step } = mapAsync(one);
    expect(step.calls).toEqual({
      concurrency: 1,
      timeoutMs: undefined,
      retries: 0,
      backoffMs: 1000,
      speculate: true,
    });
  });

  test("the function must make a promise", () => {
    const refusals = [undefined, "url", async function* () {}].map((map) => () => {
      Reflect.apply(mapAsync, undefined, [map]);
    });
    expect(refusals[0]).toThrow("mapAsync: expected an async function, found undefined");
    expect(refusals[1]).toThrow('mapAsync: expected an async function, found "url"');
    expect(refusals[2]).toThrow("mapAsync: expected an async function, found an async generator");
  });
});

describe("an async function elsewhere is refused, and mapAsync named", () => {
  const later = async (line: string) => [[line, 1]];
  const says = "found an async function, which only mapAsync takes";

  test("as a job's map, reduce or combine", () => {
    for (const field of ["map", "reduce", "combine"]) {
      const spec = { map: () => [], reduce: () => [], [field]: later };
      expect(() => Reflect.apply(defineJob, undefined, [spec])).toThrow(says);
    }
  });

  test("as a function of a flow", () => {
    defineFlow("async", (f) => {
      const lines = f.read("lines", text());
      for (const name of ["map", "flatMap", "filter"]) {
        expect(() => Reflect.apply(Reflect.get(lines, name), lines, [later])).toThrow(says);
      }
      lines.write(text());
    });
  });

  test("as a function that returns a promise", () => {
    const job = Reflect.apply(defineJob, undefined, [{ map: (line: string) => later(line) }]);
    expect(() => runInline(job, { input: ["a"] })).toThrow(
      "map: expected a generator, an array or nothing, found Promise: map may not be async, " +
        "only mapAsync may",
    );
  });
});

describe("runInlineAsync", () => {
  const lengths = defineJob({
    counters: ["lines"],
    params: { twice: false },
    map: mapAsync(async (line, ctx: AsyncContext<"lines", { twice: boolean }>) => {
      await Promise.resolve();
      ctx.count("lines");
      if (ctx.params.twice) ctx.emit(line, 1);
      return [[line, 1]];
    }),
    reduce: count(),
  });

  test("runs a job with calls", async () => {
    expect(await runInlineAsync(lengths, { input: ["b", "a", "b"] })).toEqual({
      output: [
        ["a", 1],
        ["b", 2],
      ],
      outputs: {
        output: [
          ["a", 1],
          ["b", 2],
        ],
      },
      counters: { lines: 3 },
    });
    const twice = await runInlineAsync(lengths, { input: ["a"], params: { twice: true } });
    expect(twice.output).toEqual([["a", 2]]);
  });

  test("runs what runInline runs, and runInline names it for the rest", async () => {
    const sync = defineJob({ map: (line) => [[line, 1]], reduce: count() });
    const input = ["a", "a"];
    expect(await runInlineAsync(sync, { input })).toEqual(runInline(sync, { input }));
    expect(() => runInline(lengths, { input })).toThrow(
      "runInline: expected no mapAsync, which waits: use `await runInlineAsync(...)`",
    );
  });

  test("makes calls before and after a shuffle, and in each round of a loop", async () => {
    const calls: string[] = [];
    const flow = defineFlow("calls", (f) => {
      const counted = f
        .read("lines", text())
        .flatMap((line) => line.split(" "))
        .mapAsync(async (word, { index }) => {
          calls.push(`first ${index} ${word}`);
          return word.toUpperCase();
        })
        .keyBy()
        .fold("counts", count())
        .mapAsync(async ([word, times], { index }) => {
          calls.push(`second ${index} ${word}`);
          return word.repeat(times);
        });
      f.loop("round", counted, { most: 2 }, (state) =>
        state.mapAsync(async (word) => `${word}!`),
      ).write(tsv());
    });
    const { output } = await runInlineAsync(flow, { input: ["b a", "b"] });
    expect(output).toEqual(["A!!", "BB!!"]);
    expect(calls).toEqual(["first 0 b", "first 1 a", "first 2 b", "second 0 A", "second 1 B"]);
  });

  test("rejects with the user's own error", async () => {
    const failing = defineJob({
      map: mapAsync(async () => {
        throw new RangeError("no such page");
      }),
    });
    await expect(runInlineAsync(failing, { input: ["a"] })).rejects.toThrow(RangeError);
  });
});
