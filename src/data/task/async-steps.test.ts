import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { ProgramBench, type ProgramRun } from "../../../test/support/programs.ts";
import {
  count,
  defineFlow,
  defineJob,
  type Flow,
  type MapAsyncOptions,
  type MapContext,
  mapAsync,
  type Records,
  sum,
  text,
} from "../../job/index.ts";

const programs = new ProgramBench();
afterAll(() => programs.remove());

/** More cases find more: BROOMWAGON_CASES=500. */
const CASES = Number(process.env.BROOMWAGON_CASES ?? 15);

type Ctx = MapContext<"seen", Readonly<Record<never, never>>>;
type Lines = Records<string, Ctx>;

/** How the calls of one step behave: latencies in turns of the event loop, and first tries. */
interface Calling {
  readonly turns: readonly number[];
  /** A call whose number is a multiple of this fails in its first try. */
  readonly failsEach: number;
  readonly options: MapAsyncOptions;
}

type Part =
  | { readonly kind: "split" | "long" | "words" }
  | { readonly kind: "mark"; readonly mark: string; readonly calling: Calling };

/** A step that the two flows of a comparison share, or one that differs in nothing but the wait. */
function extended(lines: Lines, part: Part, isAsync: boolean): Lines {
  switch (part.kind) {
    case "split":
      return lines.flatMap(function* (line) {
        yield* line.split(" ");
      });
    case "long":
      return lines.filter((line) => line.length > 1);
    case "words":
      return lines.words();
    case "mark": {
      const { mark, calling } = part;
      const marked = (line: string, ctx: Ctx): string => {
        ctx.count("seen");
        return `${line}${mark}`;
      };
      if (!isAsync) return lines.map(marked);
      const { options, turns, failsEach } = calling;
      return lines.mapAsync(async (line, ctx) => {
        const result = marked(line, ctx);
        for (let left = turns[ctx.index % turns.length] ?? 0; left > 0; left--) await turn();
        if (ctx.retry === 0 && ctx.index % failsEach === 0) throw new Error("try again");
        return result;
      }, options);
    }
  }
}

const calling: fc.Arbitrary<Calling> = fc.record({
  turns: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 7 }),
  failsEach: fc.integer({ min: 2, max: 20 }),
  options: fc.record({
    concurrency: fc.integer({ min: 1, max: 6 }),
    timeoutMs: fc.constantFrom(30_000, 60_000),
    retries: fc.constant(1),
    backoffMs: fc.constant(1),
  }),
});
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.constantFrom({ kind: "split" }, { kind: "long" }, { kind: "words" }),
  fc.record({ kind: fc.constant("mark"), mark: fc.constantFrom("!", "?"), calling }),
);
const chain = fc.array(part, { maxLength: 4 });
const lines = fc.array(fc.constantFrom("a b", "ab", "", "the end", "x y z"), { maxLength: 25 });

describe("mapAsync gives what map gives", () => {
  const flowOf = (
    { before, after }: { before: readonly Part[]; after: readonly Part[] },
    isAsync: boolean,
  ): Flow =>
    defineFlow({ name: "any", counters: ["seen"] }, (f) => {
      const through = (from: Lines, parts: readonly Part[]): Lines =>
        parts.reduce((so, one) => extended(so, one, isAsync), from);
      const first = through(f.read("lines", text()), before);
      first.write(text(), "first");
      const counted = first.keyBy().fold("counts", count());
      through(
        counted.map(([line, times]) => `${line} ${times}`),
        after,
      ).write(text(), "second");
    });

  test("in any chain of steps, however long calls take and however many fail", async () => {
    const run: fc.Arbitrary<ProgramRun> = fc.record({
      lines: fc.record({ lines }),
      reduces: fc.integer({ min: 1, max: 3 }),
      splitBytes: fc.integer({ min: 10, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.record({ before: chain, after: chain }), run, async (parts, how) => {
        const { ran, meant } = await programs.both(flowOf(parts, true), how);
        const sync = await programs.both(flowOf(parts, false), how);
        // A file that is read twice is counted twice, unless calls are made of its records.
        expect(ran.outputs).toEqual(sync.ran.outputs);
        expect(meant.outputs).toEqual(sync.meant.outputs);
        expect(ran.counters).toEqual(meant.counters);
      }),
      { numRuns: CASES },
    );
  });

  test("in a job, with pairs that it returns or emits", async () => {
    const pairs = (line: string): [string, number][] => line.split(" ").map((word) => [word, 1]);
    const counters = ["seen"] as const;
    const sync = defineJob({
      counters,
      map(line, { count: seen, emit }) {
        seen("seen");
        emit("lines", 1);
        return pairs(line);
      },
      reduce: sum(),
    });
    const async = defineJob({
      counters,
      map: mapAsync(
        async (line, { count: seen, emit, index }) => {
          seen("seen");
          if (index % 3 === 0) await turn();
          emit("lines", 1);
          return pairs(line);
        },
        { concurrency: 4 },
      ),
      reduce: sum(),
    });
    const input = Array.from({ length: 100 }, (_, i) => `word${i % 7} other${i % 11}`);
    const how = { lines: { input }, reduces: 3, splitBytes: 300 };
    const { ran, meant } = await programs.both(async, how);
    expect(ran).toEqual(meant);
    expect(ran).toEqual((await programs.both(sync, how)).ran);
  });
});
