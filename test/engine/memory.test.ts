import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { type MeasuredCluster, MemoryBench } from "./support/memory-bench.ts";
import { randomFrom } from "./support/text.ts";

const bench = new MemoryBench();
afterAll(() => bench.remove());

const PROMISED_BYTES = 64e6;
/**
 * What a slot may hold beyond, while it ends, if memory grows within one record
 * (docs/engine.md, Memory).
 */
const ENDING_BYTES = 16e6;
const SMALL: MeasuredCluster = { nodes: 2, slots: 2, memory: "64MB" };
/** Far more slots than there is memory for at once. */
const WIDE: MeasuredCluster = { nodes: 8, slots: 8, memory: "64MB" };
/** The sample has each cluster and each job once. */
const CLUSTERS = cases({
  all: { sort: [SMALL, WIDE], join: [SMALL, WIDE] },
  sample: { sort: [WIDE], join: [SMALL] },
});

/** Lines of 100 bytes, unsorted; many have the same beginning. */
function unordered(): (index: number) => string {
  const random = randomFrom(1);
  return (index) => {
    const key = Math.floor(random() ** 2 * 36 ** 6).toString(36);
    return `${key} ${index} `.padEnd(99, "broom");
  };
}

const SORT = `import { defineFlow, text } from "broomwagon/job";
export default defineFlow("sort", (f) => {
  f.read("lines", text()).sortBy("sort").write(text());
});`;

const GROUPS = `import { defineJob } from "broomwagon/job";
export default defineJob({
  *map(line) {
    yield [line.startsWith("1") ? "1" : line.slice(0, 3), line] as const;
  },
  *reduce(key, lines) {
    let [count, most] = [0, ""];
    for (const line of lines) {
      count++;
      if (line > most) most = line;
    }
    yield [key, count, most] as const;
  },
});`;

/** All lines with the same first characters, in one record. */
const collected = (
  characters: number,
): string => `import { collect, defineJob } from "broomwagon/job";
export default defineJob({
  *map(line) {
    yield [line.slice(0, ${characters}), line] as const;
  },
  reduce: collect(),
});`;

const joined = (how: string): string => `import { csv, defineFlow, tsv } from "broomwagon/job";
export default defineFlow("named", (f) => {
  const table = csv(undefined, { columns: ["key", "text"] });
  const visits = f.read("visits", table).keyBy("key", "text");
  const names = f.read("names", table).keyBy("key", "text");
  visits.join("named", names, ${how}).map(([key, [text, name]]) => [key, text, name]).write(tsv());
});`;

describe("under --memory 64MB, all processes hold no more than that above an idle cluster", () => {
  let input: readonly string[] = [];
  let some: readonly string[] = [];
  let tables: readonly string[] = [];

  beforeAll(() => {
    input = [bench.lines("lines.txt", 2_000_000, unordered())];
    some = [bench.lines("some.txt", 500_000, unordered())];
    const random = randomFrom(2);
    const visit = (row: number): string => `${Math.floor(random() * 500_000)},visit ${row} of all`;
    const rows = (what: string, count: number, row: (index: number) => string): string =>
      `${what}=${bench.lines(`${what}.csv`, count, (i) => (i === 0 ? "key,text" : row(i)))}`;
    tables = [
      rows("visits", 1_500_000, visit),
      rows("names", 500_000, (row) => `${row},name ${row}`),
    ];
  }, 60_000);

  test.each(CLUSTERS.sort)(
    "in putting 200 MB of lines in order, $nodes nodes of $slots slots",
    async (cluster) => {
      const { code, aboveIdleBytes } = await bench.run("sort", SORT, { input, cluster });
      expect(code).toBe(0);
      expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
    },
  );

  test("in reducing texts that the user's code makes, one group of them huge", async () => {
    const how = { input, cluster: SMALL };
    const { code, printed, aboveIdleBytes } = await bench.run("groups", GROUPS, how);
    expect(code).toBe(0);
    expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
    // Far more than there was room for.
    const { phases, memory } = JSON.parse(printed);
    expect(phases[0].spills).toBeGreaterThan(10);
    expect(memory).toMatchObject({ promisedBytes: PROMISED_BYTES });
    expect(memory.peakBytes).toBeGreaterThan(memory.baseBytes);
  });

  test.each(CLUSTERS.join)(
    "in joining CSV files, both larger than a task, $nodes nodes of $slots slots",
    async (cluster) => {
      const how = { input: tables, cluster };
      const { code, aboveIdleBytes } = await bench.run("join", joined("{}"), how);
      expect(code).toBe(0);
      expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
    },
  );

  test("in collecting all values of each of many keys", async () => {
    const how = { input: some, cluster: SMALL };
    const { code, aboveIdleBytes } = await bench.run("collect", collected(3), how);
    expect(code).toBe(0);
    expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
  });

  test("in mapping lines of the greatest length", async () => {
    const long = [bench.lines("long.txt", 30, () => "x".repeat(1_000_000))];
    const job = GROUPS.replaceAll("slice(0, 3), line", "slice(0, 3), line.slice(-500_000)");
    const how = { input: long, cluster: SMALL };
    const { code, aboveIdleBytes } = await bench.run("long", job, how);
    expect(code).toBe(0);
    expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
  });

  test("a record larger than that is an error that says so", async () => {
    const file = join(bench.path, "one-line.txt");
    writeFileSync(file, Buffer.alloc(70e6, "x"));
    const how = { input: [file], cluster: SMALL };
    const { code, printed, problems, aboveIdleBytes } = await bench.run(
      "large",
      `import { defineJob } from "broomwagon/job";
      export default defineJob({ *map(line) { yield [line.length, 1] as const; } });`,
      how,
    );
    expect(code).toBe(1);
    expect(`${printed}${problems}`).toMatch(
      /one-line\.txt: byte 0: expected a line end within \d+ bytes, the most that the task/,
    );
    expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
  });

  test("a table that is too large for a broadcast is an error at once", async () => {
    const how = { input: tables, cluster: SMALL };
    const job = joined('{ by: "broadcast" }');
    const { code, printed, aboveIdleBytes } = await bench.run("broadcast", job, how);
    expect(code).toBe(1);
    const { failure, attempts } = JSON.parse(printed);
    expect(failure.message).toMatch(
      /^table of a join by broadcast: expected one that fits the \d+ MB .*, or join by shuffle$/,
    );
    const failed = attempts.filter(({ end }: { end: { kind: string } }) => end.kind === "failed");
    expect(failed).toHaveLength(1);
    expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
  });
});

test("a table of numbers for kernels may take half of a map's memory", async () => {
  const rows = 1_400_000;
  const table = (what: string, count: number, row: (index: number) => string): string =>
    `${what}=${bench.lines(`${what}.csv`, count, (i) => (i === 0 ? "k,v" : row(i - 1)))}`;
  const input = [
    table("facts", 2_000_000, (i) => `${(i * 7919) % rows},${i % 100}`),
    table("groups", rows + 1, (i) => `${i},${i % 1000}`),
  ];
  const job = `import { csv, defineFlow, left, right, sum, tsv } from "broomwagon/job";
export default defineFlow("grouped", (f) => {
  const numbers = csv(undefined, { columns: { k: "number", v: "number" } });
  const groups = f.read("groups", numbers).keyBy("k", "v");
  const facts = f.read("facts", numbers).keyBy("k", "v");
  const both = facts.join("both", groups, { by: "broadcast" });
  both.keyBy(right, left).fold("sum", sum()).write(tsv());
});`;
  const cluster = { nodes: 2, slots: 1, memory: "256MB" };
  const { code, aboveIdleBytes } = await bench.run("grouped", job, { input, cluster });
  expect(code).toBe(0);
  expect(aboveIdleBytes).toBeLessThanOrEqual(256e6 / 2);
});

test("state that a reduce keeps for a key is an error at its line if it does not fit", async () => {
  const input = [bench.lines("few.txt", 300_000, unordered())];
  const job = `import { defineJob } from "broomwagon/job";
export default defineJob({
  map: (line) => [["all", line]],
  *reduce(key, lines) {
    const kept = [];
    for (const line of lines) kept.push({ line });
    yield [key, kept.length] as const;
  },
});`;
  const how = { input, cluster: SMALL };
  const { code, printed, aboveIdleBytes } = await bench.run("kept", job, how);
  expect(code).toBe(1);
  expect(JSON.parse(printed).failure).toMatchObject({
    place: expect.stringMatching(/kept\.ts:6$/),
    message: expect.stringMatching(/^key "all": the code's values took more than .* --memory /),
  });
  expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
});

test("values of one key that do not fit are an error that says what to do", async () => {
  const input = [bench.lines("few.txt", 300_000, unordered())];
  const how = { input, cluster: SMALL };
  const { code, printed, aboveIdleBytes } = await bench.run("one", collected(0), how);
  expect(code).toBe(1);
  expect(aboveIdleBytes).toBeLessThanOrEqual(PROMISED_BYTES + ENDING_BYTES);
  expect(JSON.parse(printed).failure.message).toMatch(
    /--memory.*: give it more, let fewer nodes or slots share it, or /,
  );
});
