import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../test/support/data-path.ts";
import {
  csv,
  defineFlow,
  defineJob,
  type Key,
  max,
  min,
  ndjson,
  type Output,
  parquet,
  text,
  tsv,
} from "../job/index.ts";
import type { Program } from "../job/program.ts";
import { programOf } from "../job/program-of.ts";
import { planSplits, runInThread } from "./index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

const DAYS = 7;

/** A table with days and moments, written by another program. */
async function table(): Promise<string> {
  const file = join(bench.directory(), "table.parquet");
  const duckdb = await (await DuckDBInstance.create()).connect();
  await duckdb.run(`COPY (
    SELECT DATE '2026-01-29' + (i % ${DAYS})::INTEGER AS day,
      TIMESTAMP '1969-12-31 23:00:00' + INTERVAL (i) MINUTE AS moment, i::INTEGER AS n
    FROM range(5000) rows(i)
  ) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
  duckdb.closeSync();
  return file;
}

/** All lines of output, part after part. */
async function run(
  program: Program,
  file: string,
  {
    splitBytes = 1 << 20,
    ...options
  }: { splitBytes?: number; memoryBytes?: number; reduces: number },
) {
  const plan = await planSplits({ input: rows, paths: [file], from: "/", splitBytes });
  const [work, output] = [bench.directory(), bench.directory()];
  const inputs = new Map([["input", plan]]);
  await runInThread({ program, params: {}, inputs, work, output, ...options });
  const parts = readdirSync(output).sort();
  const text = parts.map((name) => readFileSync(join(output, name), "utf8")).join("");
  return { lines: text.trimEnd().split("\n"), splits: plan.splits.length };
}

interface Row {
  readonly day: Date;
  readonly moment: Date;
  readonly n: number;
}
const rows = { ...parquet<keyof Row>(), decode: (row: unknown): Row => row as Row };

/** The first and the last moment of each day, by time. */
const expected = Array.from({ length: DAYS }, (_, day) => {
  const at = (minute: number): string =>
    new Date(Date.UTC(1969, 11, 31, 23) + minute * 60_000).toISOString();
  const last = 4999 - ((4999 - day) % DAYS);
  return [new Date(Date.UTC(2026, 0, 29 + day)).toISOString(), at(day), at(last)] as const;
});

describe("the dates of a Parquet file", () => {
  test.each([
    ["tsv", tsv(), (fields: readonly string[]) => fields.join("\t")],
    ["csv", csv(), (fields: readonly string[]) => fields.join(",")],
    ["ndjson", ndjson(), (fields: readonly string[]) => JSON.stringify(fields)],
  ])("are keys and values, in the order of time, and ISO 8601 in %s", async (_, output, line) => {
    const file = await table();
    const sorted = defineJob({
      input: rows,
      map: (row) => [[row.day, row]],
      *reduce(day, all) {
        const times = Array.from(all, ({ moment }) => moment.getTime());
        yield [day, new Date(Math.min(...times)), new Date(Math.max(...times))];
      },
      output,
    });
    const options = { splitBytes: 4000, memoryBytes: 20_000, reduces: 1 };
    const { lines, splits } = await run(programOf(sorted), file, options);
    expect(splits).toBeGreaterThan(1);
    expect(lines).toEqual(expected.map(line));
  });

  test("are folded, joined and sorted by", async () => {
    const file = await table();
    const flow = defineFlow("days", (f) => {
      const read = f.read("input", rows);
      const last = read.keyBy("day", "moment").fold("last", max<Date>());
      const first = read.keyBy("day", "moment").fold("first", min<Date>());
      first
        .join("both", last)
        .sortBy("by-day", ([day]) => day, { order: "descending" })
        .write(tsv());
    });
    const { lines } = await run(programOf(flow), file, { reduces: 2 });
    expect(lines).toEqual(expected.toReversed().map((fields) => fields.join("\t")));
  });
});

test("impossible dates are refused, as key, as value and in any output", async () => {
  const none = new Date("no day");
  const input = bench.inputs({ a: "line\n" });
  const jobs: readonly [string, Key, unknown, Output][] = [
    ["key", none, 1, tsv()],
    ["key", ["a", none], 1, tsv()],
    ["value", "a", { at: none }, tsv()],
  ];
  for (const [place, key, value, output] of jobs) {
    const job = defineJob({
      map: () => [[key, value] as const],
      reduce: (k: Key) => [[k, 1]],
      output,
    });
    await expect(bench.run(job, input)).rejects.toThrow(
      `${place}: expected a date, found an invalid Date`,
    );
  }
  for (const output of [tsv(), csv(), ndjson(), text()]) {
    for (const value of [none, { at: none }, [none]]) {
      if (value !== none && output.format.kind === "csv") continue;
      const job = defineJob({ map: () => [["a", value] as const], output });
      await expect(bench.run(job, input)).rejects.toThrow("found an invalid Date");
    }
  }
});
