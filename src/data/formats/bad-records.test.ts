import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { csv, fixed, type Input, ndjson, text } from "../../job/index.ts";
import { planSplits } from "../index.ts";
import { openRecords } from "./formats.ts";
import {
  allBadRecords,
  assertFewBad,
  type BadRecordCount,
  BadRecords,
  Malformed,
} from "./malformed.ts";
import { eachRecord } from "./record-reader.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

/** The result for an input when malformed records are skipped. */
async function skipping(
  input: Input<unknown>,
  files: Readonly<Record<string, string | Buffer>>,
  splitBytes = 1 << 20,
) {
  const directory = bench.inputs(files);
  const plan = await planSplits({ input, paths: [directory], from: "/", splitBytes });
  const records: unknown[] = [];
  const tasks: BadRecordCount[] = [];
  for (const split of plan.splits) {
    const bad = new BadRecords("skip");
    await eachRecord(openRecords({ split, input, bad }), (record) => void records.push(record));
    tasks.push(bad.counted());
  }
  const found = allBadRecords(tasks);
  const places = found.samples.map(({ place }) => place.replace(`${directory}/`, ""));
  return { records: records.length, ...found, places };
}

describe("skipped malformed records", () => {
  test("are counted, and the first ten reported with their places", async () => {
    const rows = Array.from({ length: 100 }, (_, i) => (i % 7 === 3 ? `{"i":${i}` : `{"i":${i}}`));
    for (const splitBytes of [50, 1 << 20]) {
      const found = await skipping(ndjson(), { a: `${rows.join("\n")}\n` }, splitBytes);
      expect(found).toMatchObject({ records: 86, count: 14 });
      expect(found.places).toEqual(Array.from({ length: 10 }, (_, k) => `a:${7 * k + 4}`));
      expect(found.samples[0]?.problem).toMatch(/^expected a line of JSON: /);
    }
  });

  test("of a CSV: too few fields, quotes within, and no end of quotes", async () => {
    const content = 'a,b\n1,2\n3\n4,5"6"\n7,8\n"9,10\n11,12\n';
    const found = await skipping(csv(), { "a.csv": content });
    expect(found).toMatchObject({
      records: 3,
      count: 3,
      places: ["a.csv:3", "a.csv:4", "a.csv:6"],
    });
    expect(found.samples.map(({ record }) => record)).toEqual(["3", '4,5"6"', '"9,10\n11,12']);
    expect(found.samples.map(({ problem }) => problem)).toEqual([
      "expected 2 fields, found 1",
      'expected quotes around a whole field, found "5\\"6\\""',
      "expected the end of a quoted field",
    ]);
  });

  test("that decode refuses: invalid numbers, and records at which a user's throws", async () => {
    const typed = csv(undefined, { columns: { a: "text", n: "number" } });
    const found = await skipping(typed, { a: "n,a\n1,x\n-2.5e3,y\nthree,z\n,w\n" });
    expect(found).toMatchObject({ records: 2, count: 2, places: ["a:4", "a:5"] });
    expect(found.samples[0]?.problem).toBe('column n: expected a number, found "three"');
    const own = ndjson(undefined, (value) => {
      if (typeof value !== "number") throw new TypeError("no number");
      return value;
    });
    expect(await skipping(own, { a: '1\n"two"\n3\n' })).toMatchObject({
      records: 2,
      samples: [{ problem: "no number" }],
      places: ["a:2"],
    });
  });

  test("a file that cannot be decompressed any further counts as one", async () => {
    const whole = gzipSync("one\ntwo\n".repeat(5_000));
    const files = { "a.gz": whole.subarray(0, whole.length - 20), "b.gz": whole };
    const found = await skipping(ndjson(undefined, String), { c: "1\n", ...files });
    // `one` is no JSON: each line of the whole file is bad, and the damage itself.
    expect(found.places[0]).toBe("a.gz:1");
    const lines = await skipping(text(), files);
    expect(lines.count).toBe(1);
    expect(lines.places[0]).toMatch(/^a\.gz: byte \d+$/);
    expect(lines.records).toBeGreaterThanOrEqual(10_000);
  });

  test("a whole zstd file that needs something missing does not count", async () => {
    // A window of 2 TB; a dictionary.
    for (const [head, expected] of [
      [[0, 0xf8], "expected a zstd window of 128 MB at most"],
      [[1, 0x50, 7], "expected zstd that needs no dictionary"],
    ] as const) {
      const stored = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...head, 1, 0, 0]);
      await expect(skipping(text(), { "a.zst": stored })).rejects.toThrow(expected);
    }
  });

  test("the rest of a file of fixed records counts as one", async () => {
    const found = await skipping(fixed(4), { a: Buffer.alloc(10) });
    expect(found).toMatchObject({ records: 2, count: 1, places: ["a: byte 8"] });
  });

  test("an error thrown by a map at a record does not count", async () => {
    const directory = bench.inputs({ a: "1\n" });
    const input = ndjson();
    const { splits } = await planSplits({ input, paths: [directory], from: "/" });
    const bad = new BadRecords("skip");
    const reader = openRecords({ split: splits[0] ?? expect.fail(), input, bad });
    await expect(eachRecord(reader, () => void JSON.parse("{"))).rejects.toThrow(SyntaxError);
    expect(reader.isAtRecord).toBe(true);
    expect(reader.place()).toBe(join(directory, "a:1"));
  });

  test("fail the job if there are more than it allows", () => {
    const some = new BadRecords({ kind: "count", max: 2 });
    const one = (): void => some.take(new Malformed("no number"), () => "a:7");
    one();
    one();
    expect(some.skips).toBe(true);
    expect(one).toThrow("a:7: expected 2 malformed records at most, found one more: no number");
    const bad = { count: 2, samples: [{ place: "a:3", problem: "no number" }] };
    assertFewBad({ kind: "count", max: 2 }, bad, 0);
    assertFewBad({ kind: "share", max: 0.02 }, bad, 98);
    assertFewBad("skip", bad, 0);
    expect(() => assertFewBad({ kind: "share", max: 0.01 }, bad, 98)).toThrow(
      "expected 1 % malformed records at most, found 2 of 100; the first: a:3: no number",
    );
    expect(() => assertFewBad({ kind: "count", max: 1 }, bad, 98)).toThrow("expected 1 malformed");
  });

  test("a header without a wanted column does not count", async () => {
    const input = csv(undefined, { columns: ["c"] });
    await expect(skipping(input, { a: "a,b\n1,2\n" })).rejects.toThrow(
      'a:1: expected a column "c"',
    );
  });
});
