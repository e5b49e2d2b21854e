import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { ProgramBench, type ProgramRun } from "../../../test/support/programs.ts";
import {
  type Call,
  count,
  csv,
  defineFlow,
  defineJob,
  type Flow,
  fixed,
  type Input,
  type MapAsyncOptions,
  type MapContext,
  mapAsync,
  ndjson,
  type Records,
  sum,
  text,
  tsv,
} from "../../job/index.ts";
import { programOf } from "../../job/program-of.ts";
import { planSplits } from "../formats/splits.ts";
import type { TaskProgress } from "./progress.ts";
import { runInThread } from "./run-in-thread.ts";

const programs = new ProgramBench();
const bench = new DataPathBench();
afterAll(() => {
  programs.remove();
  bench.remove();
});

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

/** Runs a flow over files; returns when it has ended. */
async function run(
  flow: Flow,
  files: Readonly<Record<string, string | Buffer>>,
  how: { readonly splitBytes?: number; readonly reports?: TaskProgress[] } = {},
): Promise<string> {
  const program = programOf(flow);
  const directory = bench.inputs(files);
  const inputs = new Map();
  for (const { reads } of program.phases) {
    if (reads.kind !== "input") continue;
    const { input, name } = reads;
    const { splitBytes = 1 << 20 } = how;
    const query = { input, paths: [directory], from: directory, splitBytes };
    inputs.set(name, await planSplits(query));
  }
  const [work, output] = [bench.directory(), bench.directory()];
  const progressOf = () => ({ progressed: (now: TaskProgress) => void how.reports?.push(now) });
  await runInThread({ ...{ program, params: {}, inputs, reduces: 1, work, output, progressOf } });
  return output;
}

describe("a step that waits for calls", () => {
  /** A gate for all calls but the first `free`. */
  function gated(free: number) {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const call = async (line: string, { index }: Call): Promise<string> => {
      if (index >= free) await opened;
      return line;
    };
    return { call, open };
  }

  /** Nothing more happens: everything that can be done without the calls is done. */
  async function quiet(look: () => number): Promise<number> {
    for (let before = -1, now = look(); ; now = look()) {
      if (now === before) return now;
      before = now;
      for (let turns = 0; turns < 50; turns++) await turn();
    }
  }

  test("holds back the steps before it, however many records there are", async () => {
    const { call, open } = gated(100);
    let mapped = 0;
    const flow = defineFlow("held", (f) => {
      f.read("lines", text())
        .map((line) => {
          mapped++;
          return line;
        })
        .mapAsync(call, { concurrency: 4 })
        .write(text());
    });
    const ended = run(flow, { "a.txt": "line\n".repeat(5_000) });
    // Of 100 free calls and 4 that wait, results may wait too: eight records for each call.
    expect(await quiet(() => mapped)).toBeLessThanOrEqual(100 + 8 * 4 + 1);
    open();
    await ended;
    expect(mapped).toBe(5_000);
  });

  test("holds back a generator within one record", async () => {
    const { call, open } = gated(10);
    let made = 0;
    const flow = defineFlow("generated", (f) => {
      f.read("lines", text())
        .flatMap(function* (line) {
          for (; made < 2_000; made++) yield `${line} ${made}`;
        })
        .mapAsync(call, { concurrency: 2 })
        .write(text());
    });
    const ended = run(flow, { "a.txt": "one\n" });
    expect(await quiet(() => made)).toBeLessThanOrEqual(10 + 8 * 2 + 1);
    open();
    await ended;
    expect(made).toBe(2_000);
  });

  test("holds back the calls of a step before it", async () => {
    const { call, open } = gated(10);
    let first = 0;
    const flow = defineFlow("two", (f) => {
      f.read("lines", text())
        .mapAsync(
          async (line) => {
            first++;
            return line;
          },
          { concurrency: 3 },
        )
        .mapAsync(call, { concurrency: 2 })
        .write(text());
    });
    const ended = run(flow, { "a.txt": "line\n".repeat(5_000) });
    expect(await quiet(() => first)).toBeLessThanOrEqual(10 + 8 * 2 + 8 * 3 + 2);
    open();
    await ended;
    expect(first).toBe(5_000);
  });

  test("reports the records that have passed, and the share of the input that they are", async () => {
    const reports: TaskProgress[] = [];
    const flow = defineFlow("reports", (f) => {
      f.read("lines", text())
        .mapAsync(async (line) => {
          // Longer than the time between two reports.
          await sleep(25);
          return line;
        })
        .write(text());
    });
    await run(flow, { "a.txt": "line\n".repeat(10) }, { reports });
    const seen = reports.filter(({ records }) => records > 0 && records < 10);
    expect(seen.length).toBeGreaterThan(3);
    for (const { records, score, bytesRead } of seen) {
      expect(score).toBeCloseTo(records / 10);
      expect(bytesRead).toBe(5 * records);
    }
    expect(reports.at(-1)).toMatchObject({ records: 10, score: 1, bytesRead: 50 });
  });

  test("reports the share of kept records, too", async () => {
    const reports: TaskProgress[] = [];
    const flow = defineFlow("kept", (f) => {
      f.read("lines", text())
        .keyBy()
        .fold("counts", count())
        .mapAsync(async (pair) => {
          await sleep(25);
          return pair;
        })
        .write(tsv());
    });
    const ten = Array.from({ length: 10 }, (_, i) => `line ${i}\n`).join("");
    await run(flow, { "a.txt": ten }, { reports });
    const calls = reports.slice(reports.findIndex(({ stage }) => stage === 2));
    const shares = calls.filter(({ stage, score }) => stage === 0 && score > 0 && score < 1);
    expect(shares.length).toBeGreaterThan(3);
    for (const { records, score } of shares) expect(score).toBeCloseTo(records / 10);
  });
});

describe("the error of a call names the record, though later ones are read", () => {
  const LINES = Array.from({ length: 40 }, (_, i) => `record ${i}`);
  const fails = async (record: unknown): Promise<never> => {
    await turn();
    throw new RangeError(`no ${JSON.stringify(record)}`);
  };
  /** Fails at the record that is told. */
  const failsAt =
    (isIt: (record: unknown) => boolean) =>
    async (record: unknown): Promise<unknown> =>
      isIt(record) ? fails(record) : record;

  async function errorOf<R>(
    input: Input<R>,
    content: string | Buffer,
    isIt: (record: unknown) => boolean,
    name = "a.txt",
  ): Promise<string> {
    const flow = defineFlow("fails", (f) => {
      f.read("records", input)
        .mapAsync(failsAt(isIt), { concurrency: 8 })
        .map((record) => JSON.stringify(record))
        .write(text());
    });
    const error = await run(flow, { [name]: content }, { splitBytes: 120 }).catch(
      (thrown: unknown) => thrown,
    );
    return String(error).replace(/^.*\/(?=a\.)/, "");
  }

  test("by its line in the file", async () => {
    const content = LINES.map((line) => `${line}\n`).join("");
    const isIt = (record: unknown): boolean => record === "record 33";
    const says = `:34: RangeError: no "record 33", in "record 33"`;
    expect(await errorOf(text(), content, isIt)).toBe(`a.txt${says}`);
    expect(await errorOf(text(), gzipSync(content), isIt, "a.txt.gz")).toBe(`a.txt.gz${says}`);
  });

  test("by its first line, in CSV with line ends in quotes", async () => {
    const content = `name,n\n${LINES.map((line, i) => `"${line}\nmore",${i}\n`).join("")}`;
    const input = csv(undefined, { columns: { name: "text", n: "number" } });
    const isIt = (record: unknown): boolean => JSON.stringify(record).includes('"n":21');
    expect(await errorOf(input, content, isIt)).toMatch(
      /^a\.txt:44: RangeError: no .*, in \{"name":"record 21\\nmore","n":21\}$/,
    );
  });

  test("by its byte, where records have one length", async () => {
    const content = Buffer.from("abcdefgh".repeat(50));
    let seen = 0;
    const error = await errorOf(fixed(8, undefined, { encoding: "latin1" }), content, () => {
      return ++seen === 5;
    });
    expect(error).toBe('a.txt: byte 32: RangeError: no "abcdefgh", in "abcdefgh"');
  });

  test("by its number, among kept records", async () => {
    const flow = defineFlow("fails", (f) => {
      f.read("lines", text())
        .keyBy()
        .fold("counts", count())
        .mapAsync(failsAt((pair) => String(pair) === "record 9,1"))
        .map(String)
        .write(text());
    });
    const content = LINES.slice(0, 10).join("\n");
    await expect(run(flow, { "a.txt": content })).rejects.toThrow(
      'record 10 of the previous phase\'s output: RangeError: no ["record 9",1], in ["record 9",1]',
    );
  });

  test("of the steps around it as well", async () => {
    for (const at of ["before", "after"]) {
      const flow = defineFlow("around", (f) => {
        const check = (place: string) => (line: string) => {
          if (at === place && line === "record 7") throw new RangeError(`${place} it`);
          return line;
        };
        f.read("lines", text())
          .flatMap((line) => [line])
          .map(check("before"))
          .mapAsync(async (line) => line, { concurrency: 3 })
          .map(check("after"))
          .write(text());
      });
      await expect(run(flow, { "a.txt": LINES.join("\n") })).rejects.toThrow(
        `a.txt:8: RangeError: ${at} it, in "record 7"`,
      );
    }
  });

  test("of the reading comes when the records before it have passed", async () => {
    const input = ndjson(undefined, (value) => {
      if (value === 3) throw new RangeError("three");
      return value;
    });
    const called: unknown[] = [];
    const flow = defineFlow("decodes", (f) => {
      f.read("values", input)
        .mapAsync(async (value) => {
          called.push(value);
          return value;
        })
        .map(String)
        .write(text());
    });
    await expect(run(flow, { "a.txt": "1\n2\n3\n4\n" })).rejects.toThrow(
      "a.txt:3: RangeError: three",
    );
    expect(called).toEqual([1, 2]);
  });
});
