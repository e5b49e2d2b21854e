import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type InputPlan,
  importProgram,
  planSplits,
  prepareJobFile,
  runInThread,
} from "../../src/data/index.ts";
import { StreamingTwin } from "../support/streaming.ts";

/** Hadoop's containers produce the same bytes as the embedded engine's data path, for every job. */
const root = mkdtempSync(join(tmpdir(), "broomwagon-streaming-"));
const data = join(root, "data");
let runs = 0;

beforeAll(() => {
  const script = fileURLToPath(new URL("../../examples/make-data.mjs", import.meta.url));
  execFileSync(process.execPath, [script, data]);
});
afterAll(() => rmSync(root, { recursive: true }));

interface Query {
  readonly file: string;
  /** Paths by the name of the read. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly splitBytes?: number;
  readonly reduces?: number;
  readonly memoryBytes?: number;
}

/** Runs the job both ways; returns the parts by name. */
async function both(query: Query) {
  const { file, splitBytes = 400_000, reduces = 3, memoryBytes = 8e6 } = query;
  const own = join(root, `run-${runs++}`);
  const directory = (name: string): string => {
    const path = join(own, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const program = await importProgram(await prepareJobFile({ file, into: join(own, "module") }));
  const inputs = new Map<string, InputPlan>();
  for (const { reads } of program.phases) {
    if (reads.kind !== "input") continue;
    const { name, input } = reads;
    const paths = [query.inputs[name] ?? query.inputs.input ?? ""];
    const plan = await planSplits({ input, paths, from: data, splitBytes });
    // On HDFS no inode identifies a file, and a container reads a copy of its split.
    inputs.set(name, { ...plan, splits: plan.splits.map(({ fileIdentity: _, ...of }) => of) });
  }
  const { params } = program;
  const [thread, streamed] = [directory("thread"), directory("streamed")];
  const how = { program, params, inputs, reduces, memoryBytes };
  const ran = await runInThread({ ...how, work: directory("work"), output: thread });
  const twin = new StreamingTwin(directory("twin"));
  const hadoop = await twin.run({ ...how, file, output: streamed });
  return { ran, hadoop, thread: filesIn(thread), streamed: filesIn(streamed) };
}

function filesIn(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(directory.length), readFileSync(path, "latin1")];
    }),
  );
}

async function expectEqual(query: Query) {
  const { ran, hadoop, thread, streamed } = await both(query);
  expect(Object.keys(thread).length).toBeGreaterThan(0);
  expect(Object.values(thread).join("").length).toBeGreaterThan(20);
  expect(streamed).toEqual(thread);
  expect(hadoop.counters).toEqual(ran.counters);
  return { ran, hadoop, streamed };
}

const example = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));

let jobs = 0;
function job(code: string): string {
  const file = join(root, `job-${jobs++}.ts`);
  writeFileSync(file, code);
  return file;
}

describe("the same job gives the same bytes in containers", () => {
  test("word count, where each task reports its result once", async () => {
    const { ran, hadoop } = await expectEqual({
      file: example("word-count"),
      inputs: { input: "books" },
    });
    const maps = hadoop.results.flatMap(({ result }) =>
      result?.kind === "shuffle-output" ? [result.output] : [],
    );
    expect(maps).toHaveLength(ran.shuffled.length);
    const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((x, y) => x - y);
    const records = (outputs: readonly { readonly records: number }[]): number[] =>
      sorted(outputs.map((output) => output.records));
    expect(records(maps)).toEqual(records(ran.shuffled));
    const parts = hadoop.results.flatMap(({ result }) =>
      result?.kind === "part" ? [result.part] : [],
    );
    expect(parts.map((part) => part.checksum).sort()).toEqual(
      ran.parts.map((part) => part.checksum).sort(),
    );
    expect(hadoop.stderr).toMatch(/^reporter:counter:Broomwagon,progressPermille,\d+$/m);
  });

  test("lines in order, by the job's own partition", async () => {
    await expectEqual({ file: example("sort"), inputs: { input: "books" }, reduces: 4 });
  });

  test("lines in order, by a sample that goes to every map", async () => {
    const file = job(`import { defineFlow, text } from "broomwagon/job";
      export default defineFlow("sorted", (f) => {
        f.read("lines", text("x")).sortBy("sorted").write(text());
      });`);
    await expectEqual({ file, inputs: { lines: "books" }, reduces: 4 });
  });

  test("joins, by broadcast and by shuffle; two outputs; two shuffles in a row", async () => {
    const inputs = { visits: "visits.csv", countries: "countries.csv" };
    await expectEqual({ file: example("visits"), inputs });
    const file = job(`import { csv, defineFlow, sum, tsv } from "broomwagon/job";
      export default defineFlow("joined", (f) => {
        const visits = f.read("visits", csv("x", { columns: ["country", "bytes"] }));
        const names = f.read("countries", csv("y", { columns: ["code", "name"] }));
        visits.keyBy("country", ({ bytes }) => Number(bytes))
          .join("named", names.keyBy("code", "name"))
          .map(([, [bytes, name]]) => [name, bytes])
          .keyBy("0", "1")
          .fold("by-name", sum())
          .write(tsv());
      });`);
    await expectEqual({ file, inputs });
  });

  test("a table that is joined with itself", async () => {
    const file = job(`import { defineFlow, text, tsv } from "broomwagon/job";
      export default defineFlow("self", (f) => {
        const links = f.read("links", text("x")).map((line) => line.split(" "))
          .keyBy(([from = ""]) => from, ([, to = ""]) => to);
        links.join("twice", links).map(([page, [a, b]]) => [page, a + b]).write(tsv());
      });`);
    await expectEqual({ file, inputs: { links: "links.txt" }, splitBytes: 20_000 });
  });

  test("values of a key in the order of the input, though memory is small", async () => {
    const file = job(`import { defineFlow, text, tsv } from "broomwagon/job";
      export default defineFlow("grouped", (f) => {
        f.read("lines", text("x")).groupBy((line) => line.length % 7)
          .reduce("all", (key, lines) => [[key, [...lines].join("|")]]).write(tsv());
      });`);
    await expectEqual({ file, inputs: { lines: "books" }, memoryBytes: 2e6 });
  });

  test("quantiles", async () => {
    const file = job(`import { csv, defineFlow, quantile, tsv } from "broomwagon/job";
      export default defineFlow("quantiles", (f) => {
        f.read("visits", csv("x", { columns: { country: "text", bytes: "number" } }))
          .keyBy("country", "bytes").fold("median", quantile(0.5)).write(tsv());
      });`);
    await expectEqual({ file, inputs: { visits: "visits.csv" } });
  });

  test("a loop, whose rounds are counted", async () => {
    const file = job(`import { defineFlow, sum, text, tsv } from "broomwagon/job";
      export default defineFlow({ name: "halves", counters: ["above"] }, (f) => {
        const lengths = f.read("lines", text("x")).keyBy((line) => line.slice(0, 2),
          (line) => line.length).fold("lengths", sum());
        f.loop("round", lengths, { most: 9, until: ({ counters }) => counters.above === 0 },
          (state) => state.keyBy(([key]) => key.slice(0, 1), ([, size]) => size / 2)
            .reduce("less", (key, sizes, ctx) => {
              const size = [...sizes].reduce((so, one) => so + one, 0);
              if (size > 60_000) ctx.count("above");
              return [[key, size]];
            }))
          .write(tsv());
      });`);
    const { ran, hadoop } = await expectEqual({ file, inputs: { lines: "books" }, reduces: 2 });
    expect(ran.counters.above).toBeGreaterThan(0);
    expect(hadoop.stderr).toMatch(/^reporter:counter:Broomwagon job,above,[1-9]/m);
  });

  test("gzip, a CSV file with line ends in quotes, and one of fixed records", async () => {
    writeFileSync(join(data, "log.gz"), gzipSync(readFileSync(join(data, "visits.csv"))));
    const lengths = `map: (line) => [[String(line).length, 1]], reduce: count()`;
    const plain = job(`import { count, defineJob } from "broomwagon/job";
      export default defineJob({ ${lengths} });`);
    await expectEqual({ file: plain, inputs: { input: "log.gz" } });
    const rows = Array.from(
      { length: 4000 },
      (_, i) => `${i},"a\n""b"",${"\n".repeat(i % 3)}",x\n`,
    );
    writeFileSync(join(data, "quoted.csv"), `n,text,x\n${rows.join("")}`);
    const csv = job(`import { csv, defineJob } from "broomwagon/job";
      export default defineJob({ input: csv("x"),
        map: (row) => [[row.text.length, row.n]],
        reduce: (length, all) => [[length, [...all].join()]] });`);
    await expectEqual({ file: csv, inputs: { input: "quoted.csv" }, splitBytes: 7777 });
    const fixed = job(`import { fixed, count, defineJob } from "broomwagon/job";
      export default defineJob({ input: fixed(11, "x", { encoding: "latin1" }),
        map: (record) => [[record.slice(0, 8), 1]], reduce: count() });`);
    const records = Array.from({ length: 3000 }, (_, i) => String(i).padStart(10, "-"));
    writeFileSync(join(data, "fixed"), records.map((record) => `${record}\n`).join(""));
    await expectEqual({ file: fixed, inputs: { input: "fixed" }, splitBytes: 10_000 });
  });

  test("calls that are awaited, before and after a shuffle", async () => {
    const file = job(`import { setTimeout as sleep } from "node:timers/promises";
      import { count, defineFlow, text, tsv } from "broomwagon/job";
      export default defineFlow({ name: "calls", counters: ["calls"] }, (f) => {
        f.read("lines", text("x"))
          .mapAsync(async (line, { index, retry, count }) => {
            count("calls");
            if (index % 500 === 0) await sleep(index % 7);
            if (index % 700 === 1 && retry === 0) throw new Error("try again");
            return line.slice(0, 2);
          }, { concurrency: 9, retries: 1, backoffMs: 1, timeoutMs: 60_000 })
          .keyBy()
          .fold("counts", count())
          .mapAsync(async ([start, times], { task }) => [start, times, task] as const)
          .write(tsv());
      });`);
    const { ran } = await expectEqual({ file, inputs: { lines: "books" } });
    expect(ran.counters.calls).toBeGreaterThan(10_000);
  });

  test("a module that imports others, JSON and packages", async () => {
    const own = join(root, "project");
    const write = (name: string, text: string): void => {
      mkdirSync(join(own, name, ".."), { recursive: true });
      writeFileSync(join(own, name), text);
    };
    write(
      "lib/words.ts",
      `import stop from "../stop.json" with { type: "json" };
      import { upper } from "loud";
      export const words = (line: string) =>
        line.split(" ").filter((word) => !stop.includes(word)).map(upper);`,
    );
    write("stop.json", `["the", "ba"]`);
    write(
      "node_modules/loud/package.json",
      `{"name":"loud","main":"a.js",
      "dependencies":{"mark":"2"}}`,
    );
    write(
      "node_modules/loud/a.js",
      `const mark = require("mark");
      exports.upper = (word) => word.toUpperCase() + mark;`,
    );
    write("node_modules/loud/node_modules/mark/package.json", `{"name":"mark"}`);
    write("node_modules/loud/node_modules/mark/index.js", `module.exports = "!";`);
    write("node_modules/mark/package.json", `{"name":"mark"}`);
    write("node_modules/mark/index.js", `module.exports = "?";`);
    write(
      "job.ts",
      `import { count, defineJob } from "broomwagon/job";
      import mark from "mark";
      import { words } from "./lib/words.ts";
      export default defineJob({ map: (line) => words(line).map((word) => [mark + word, 1]),
        reduce: count() });`,
    );
    const { streamed } = await expectEqual({
      file: join(own, "job.ts"),
      inputs: { input: "books" },
      reduces: 1,
    });
    expect(streamed["/part-00000"]).toMatch(/^\?[A-Z]+!\t\d+\n/);
  });
});
