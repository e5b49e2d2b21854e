import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import {
  count,
  csv,
  defineJob,
  fixed,
  type Job,
  lines,
  mapBytes,
  matching,
  sum,
  text,
  words,
} from "../../job/index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

/** Every byte but line ends twice, alone and beside others. */
const LINES = Array.from({ length: 256 }, (_, byte) => byte)
  .filter((byte) => byte !== 0x0a && byte !== 0x0d)
  .map((byte) => Buffer.from([0x61, byte, 0x62, byte, byte]));

const joined = (lines: readonly Buffer[]): Buffer =>
  Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));

const sorted = (bytes: Buffer): readonly string[] =>
  bytes.toString("latin1").split("\n").slice(0, -1).sort();

async function output(job: Job, content: Buffer, splitBytes = 100): Promise<Buffer> {
  const input = bench.inputs({ a: content });
  const ran = await bench.run(job, input, { splitBytes, memoryBytes: 500, reduces: 2 });
  expect(ran.difference).toEqual({ equal: true });
  return Buffer.concat(ran.files.map(({ path }) => readFileSync(path)));
}

describe("bytes that are not UTF-8 pass unchanged", () => {
  test("as a key", async () => {
    const job = defineJob({ map: (line) => [[line, 1]], reduce: sum(), output: text() });
    const expected = LINES.map((line) => Buffer.concat([line, Buffer.from("\t2")]));
    const found = await output(job, joined([...LINES, ...LINES]));
    expect(sorted(found)).toEqual(sorted(joined(expected)));
  });

  test("as a value, and within tuples and objects", async () => {
    const job = defineJob({
      map: (line) => [[line.length, { line, all: [line] }]],
      *reduce(_, values) {
        for (const { line, all } of values) yield [line, ...all];
      },
      output: text(),
    });
    const expected = LINES.map((line) => Buffer.concat([line, Buffer.from("\t"), line]));
    expect(sorted(await output(job, joined(LINES)))).toEqual(sorted(joined(expected)));
  });

  test("through a job that only maps", async () => {
    const job = defineJob({ map: (line) => [[line, undefined]] });
    expect((await output(job, joined(LINES))).equals(joined(LINES))).toBe(true);
  });

  test.each(["utf8", "latin1", "bytes"] as const)("as lines in %s", async (encoding) => {
    const job = defineJob({
      input: text({ encoding }),
      map: (line): [number, string | Uint8Array][] => [[line.length, line]],
      *reduce(_, lines) {
        yield* lines;
      },
      output: text({ encoding }),
    });
    expect(sorted(await output(job, joined(LINES)))).toEqual(sorted(joined(LINES)));
  });

  test("as fields of a CSV", async () => {
    const fields = LINES.map((line) =>
      Buffer.from(`"${line.toString("latin1").replaceAll('"', '""')}"`, "latin1"),
    );
    const job = defineJob({
      input: csv(undefined, { columns: ["it"], header: false }),
      map: ({ it }) => [[it, undefined]],
    });
    expect((await output(job, joined(fields))).equals(joined(LINES))).toBe(true);
  });

  test("in any sequence", async () => {
    const job = defineJob({ map: (line) => [[line, 1]], reduce: (line) => [line] });
    const line = fc.array(
      fc.constantFrom(0, 9, 0x61, 0x80, 0xa0, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xff),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        async (lines, splitBytes) => {
          const content = joined(lines.map((bytes) => Buffer.from(bytes)));
          const found = await output(job, content, splitBytes);
          expect(sorted(found)).toEqual([...new Set(sorted(content))].sort());
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("operators over any bytes", () => {
  const jobs = {
    words: defineJob({ map: words(), reduce: count() }),
    lines: defineJob({ map: lines(), reduce: count() }),
    matching: defineJob({ map: matching("a"), reduce: count() }),
    "an expression": defineJob({ map: matching(/^.a/), reduce: count() }),
    mapBytes: defineJob({
      map: mapBytes((_, start, end, slice) => slice(start, Math.min(end, start + 2))),
      reduce: count(),
    }),
  };
  const piece = fc.oneof(
    fc.constantFrom("a", "b a", "\n", "\r\n", " ", "\0", "\xef\xbb\xbf", "\xc3\xa9"),
    fc.constantFrom("\xe2\x80\xa8", "\xed\xa0\x80", "\xff", "\x80", "\xc2\x85", "long ".repeat(9)),
  );

  test.each(Object.entries(jobs))("%s give what the reference gives", async (_, job) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.integer({ min: 1, max: 60 }),
        async (pieces, splitBytes) => {
          const input = bench.inputs({ a: Buffer.from(pieces.join(""), "latin1") });
          const ran = await bench.run(job, input, { splitBytes, memoryBytes: 8 << 20 });
          expect(ran.difference).toEqual({ equal: true });
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("records of a fixed length", () => {
  const records = Array.from({ length: 60 }, (_, i) =>
    Buffer.from([i & 0xff, i >> 8, (i * 37) & 0xff, 0x0a, 0xff, 0xc3]),
  );

  test.each([5, 6, 7, 1 << 20])("are whole with splits of %d bytes", async (splitBytes) => {
    const job = defineJob({
      input: fixed(6, undefined, { encoding: "latin1" }),
      map: (record) => [[record.slice(0, 3), record]],
      *reduce(_, found) {
        for (const record of found) yield Buffer.from(record, "latin1").toString("hex");
      },
    });
    const found = await output(job, Buffer.concat(records), splitBytes);
    expect(sorted(found)).toEqual(records.map((record) => record.toString("hex")).sort());
  });

  test("are bytes by default", async () => {
    const job = defineJob({
      input: fixed(6),
      map: (record) => [[record[4] ?? 0, record]],
      *reduce(_, values) {
        let all = 0;
        for (const bytes of values) all += bytes.length;
        yield all;
      },
    });
    expect((await output(job, Buffer.concat(records))).toString()).toBe("360\n");
  });

  test("are refused if two exceed the memory", async () => {
    const job = defineJob({ input: fixed(1 << 20), map: () => [] });
    const input = bench.inputs({ a: Buffer.alloc(1 << 20) });
    await expect(bench.run(job, input)).rejects.toThrow(
      "expected records of 524288 bytes at most, since the task may hold two, found 1048576",
    );
  });

  test("are an error with its byte if the last is cut short", async () => {
    const job = defineJob({ input: fixed(6), map: () => [] });
    const input = bench.inputs({ a: Buffer.alloc(20) });
    await expect(bench.run(job, input)).rejects.toThrow(
      `${join(input, "a")}: byte 18: expected a record of 6 bytes, found 2`,
    );
  });
});
