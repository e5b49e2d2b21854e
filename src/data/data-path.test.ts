import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench, PROSE } from "../../test/support/data-path.ts";
import { count, defineJob, type Key, ndjson, sum, text } from "../job/index.ts";
import type { TaskProgress } from "./index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

const wordCount = defineJob({
  *map(line) {
    for (const [word] of line.matchAll(/\p{L}+/gu)) yield [word, 1];
  },
  reduce: sum(),
});

describe("output equals the plain run's, byte for byte", () => {
  const prose = bench.inputs({
    "a.txt": PROSE,
    "b.txt": `${PROSE}\n`,
    "c.txt.gz": gzipSync(PROSE),
  });

  test("whatever the size of splits, of memory, and the count of reduces", async () => {
    for (const splitBytes of [4001, 40_000]) {
      for (const memoryBytes of [2000, 1 << 20]) {
        for (const reduces of [1, 4]) {
          const { difference } = await bench.run(wordCount, prose, {
            splitBytes,
            memoryBytes,
            reduces,
          });
          expect(difference).toEqual({ equal: true });
        }
      }
    }
  });

  test("with a fold that combines, one that does not, and a user's combine", async () => {
    const map = (line: string): [string, number][] =>
      (line.match(/\p{L}+/gu) ?? []).map((word) => [word, 1]);
    const total = (values: Iterable<number>): number =>
      [...values].reduce((so, value) => so + value, 0);
    const reduce = (key: string, values: Iterable<number>) => [[key, total(values)]];
    const jobs = [
      defineJob({ map, reduce: sum() }),
      defineJob({ map, reduce: sum(), combine: false }),
      defineJob({ map, reduce }),
      defineJob({ map, reduce, combine: (_key, values) => [total(values)] }),
    ];
    const outputs = [];
    for (const job of jobs) {
      const { difference, parts } = await bench.run(job, prose, {
        memoryBytes: 5000,
        splitBytes: 50_000,
      });
      expect(difference).toEqual({ equal: true });
      outputs.push(parts);
    }
    for (const parts of outputs) expect(parts).toEqual(outputs[0]);
  });

  test("for sums of fractions, however they are grouped", async () => {
    const fractions = Array.from(
      { length: 2000 },
      (_, i) => `${i % 7} ${(i * 0.1 - 90) * 10 ** (i % 30)}`,
    );
    const input = bench.inputs({ "a.txt": fractions.join("\n") });
    const job = defineJob({
      *map(line) {
        const [key = "", value] = line.split(" ");
        yield [key, Number(value)];
      },
      reduce: sum(),
    });
    const { difference } = await bench.run(job, input, { splitBytes: 3000, memoryBytes: 300 });
    expect(difference).toEqual({ equal: true });
  });

  test("for values of a key, which come in the order of the input", async () => {
    const job = defineJob({
      map: (line) => [[line.length % 5, line]],
      reduce: (length, lines) => [[length, [...lines].join("|")]],
    });
    const { difference } = await bench.run(job, prose, { splitBytes: 9000, memoryBytes: 3000 });
    expect(difference).toEqual({ equal: true });
  });

  test("for more spills and more maps than are read at once", async () => {
    const job = defineJob({
      map: (line) => [[line.slice(0, 8), line]],
      reduce: (start, lines) => [[start, [...lines].join("|")]],
    });
    const one = bench.inputs({ "a.txt": PROSE });
    const spilt = await bench.run(job, one, { memoryBytes: 400 });
    expect(spilt.maps[0]?.spills).toBeGreaterThan(64);
    expect(spilt.difference).toEqual({ equal: true });
    const many = await bench.run(job, one, { splitBytes: 400 });
    expect(many.maps.length).toBeGreaterThan(64);
    expect(many.difference).toEqual({ equal: true });
  });

  test("for keys of every kind", async () => {
    const keys: readonly Key[] = [
      0,
      -0,
      Number.NaN,
      1n,
      -(3n ** 50n),
      "a",
      "\ud800",
      null,
      true,
      ["a", 1],
      ["a", [2n]],
      [],
    ];
    const job = defineJob({
      *map(line) {
        for (let i = 0; i < keys.length; i++)
          if (line.length % (i + 1) === 0) yield [keys[i] ?? null, 1];
      },
      reduce: count(),
    });
    const { difference, parts } = await bench.run(job, prose, { memoryBytes: 2000, reduces: 1 });
    expect(difference).toEqual({ equal: true });
    expect(
      parts[0]
        ?.split("\n")
        .slice(0, 5)
        .map((line) => line.split("\t")[0]),
    ).toEqual(["", "true", "-0", "0", "NaN"]);
  });

  test("for values of every kind", async () => {
    const values = [
      undefined,
      null,
      -1,
      2 ** 40,
      0.5,
      -0,
      3n,
      -(2n ** 70n),
      "é",
      new Uint8Array([0, 255]),
    ];
    const job = defineJob({
      map: (line) => [[line.length % 3, { line, values, at: { line: [line.length] } }]],
      output: ndjson(),
      reduce: (key, all) => Array.from(all, (value) => ({ key, value })),
    });
    const { difference } = await bench.run(job, prose, { memoryBytes: 20_000 });
    expect(difference).toEqual({ equal: true });
  });

  test("for emit, in a map and in a reduce", async () => {
    const job = defineJob({
      map(line, ctx) {
        for (const word of line.split(" ")) ctx.emit(word, word.length);
      },
      reduce(word, lengths, ctx) {
        ctx.emit(word, [...lengths].length);
      },
    });
    expect((await bench.run(job, prose)).difference).toEqual({ equal: true });
  });

  test("for a job that only maps, in the order of the input", async () => {
    const job = defineJob({
      *map(line) {
        if (line.includes("7")) yield [line, undefined];
      },
    });
    const { difference, parts, output } = await bench.run(job, prose, { splitBytes: 5000 });
    expect(difference).toEqual({ equal: true });
    expect(parts[0]).toBe(
      PROSE.split("\n")
        .filter((line) => line.includes("7"))
        .map((line) => `${line}\n`)
        .join("")
        .repeat(3),
    );
    expect(readdirSync(output).length).toBeGreaterThan(3);
  });

  test("for a user's partition function", async () => {
    const job = defineJob({
      map: (line) => [[[line.length % 4, line], 1] as const],
      partition: ([length], reduces) => Number(length) % reduces,
      reduce: count(),
    });
    const { difference, parts } = await bench.run(job, prose, { splitBytes: 40_000, reduces: 4 });
    expect(difference).toEqual({ equal: true });
    for (const [i, part] of parts.entries()) expect(part).toMatch(new RegExp(`^(${i}\t.*\n)+$`));
  });

  test("for empty input", async () => {
    const { difference, parts } = await bench.run(
      wordCount,
      bench.inputs({ "a.txt": "", "b.txt": "" }),
    );
    expect(difference).toEqual({ equal: true });
    expect(parts).toEqual(["", "", ""]);
  });

  test("for input and job at random", async () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("", "a", "a b", "\r", "é\t"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 40 }),
        fc.constantFrom("\n", "\r\n"),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 500 }),
        async (lines, newline, splitBytes, memoryBytes) => {
          const input = bench.inputs({ "a.txt": lines.join(newline) });
          const job = defineJob({
            map: (one) => Array.from(one, (c): [string, string] => [c, one]),
            reduce: (c, all) => [[c, [...all]]],
            output: text(),
          });
          const { difference } = await bench.run(job, input, {
            splitBytes,
            memoryBytes,
            reduces: 2,
          });
          expect(difference).toEqual({ equal: true });
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("a task's report", () => {
  test("a part's size, records and checksum agree with its file", async () => {
    const { files, parts } = await bench.run(wordCount, bench.inputs({ "a.txt": PROSE }));
    expect(files.map(({ bytes, records, checksum }) => ({ bytes, records, checksum }))).toEqual(
      parts.map((part) => ({
        bytes: Buffer.byteLength(part),
        records: part.split("\n").length - 1,
        checksum: `crc32:${crc32(part).toString(16).padStart(8, "0")}`,
      })),
    );
  });

  test("a map's bytes by partition are the bytes that the reduces read", async () => {
    const { maps, files } = await bench.run(wordCount, bench.inputs({ "a.txt": PROSE }));
    expect(maps[0]?.byPartition).toEqual(files.map(({ inputBytes }) => inputBytes));
  });

  test("counters count what user code did; an undeclared one is refused", async () => {
    const job = defineJob({
      counters: ["lines", "keys", "never"],
      map(line, ctx): [string, number][] {
        ctx.count("lines");
        return [[line.slice(0, 6), 1]];
      },
      reduce(key, values, ctx) {
        ctx.count("keys", 2);
        return [[key, [...values].length]];
      },
    });
    const input = bench.inputs({ "a.txt": PROSE });
    const { maps, files, parts } = await bench.run(job, input, { reduces: 1 });
    expect(maps[0]?.counters).toEqual({ lines: 600, keys: 0, never: 0 });
    const keys = (parts[0] ?? "").split("\n").length - 1;
    expect(files[0]?.counters).toEqual({ lines: 0, keys: 2 * keys, never: 0 });
    await expect(bench.run({ ...job, counters: ["keys"] }, input)).rejects.toThrow(
      "counter lines: expected a declared one: keys",
    );
  });

  test("user code gets its task, its attempt, its file and its parameters", async () => {
    const job = defineJob({
      params: { word: "a" },
      map: (line, ctx) => [[line, [ctx.task, ctx.attempt, ctx.file, ctx.params.word]]],
      output: ndjson(),
      reduce: (_line, all) => [...all],
    });
    const input = bench.inputs({ "a.txt": "one", "b.txt": "two" });
    const { output } = await bench.run(job, input, { reduces: 1 });
    expect(readFileSync(join(output, "part-00000"), "utf8")).toBe(
      `[0,0,"${input}/a.txt","a"]\n[1,0,"${input}/b.txt","a"]\n`,
    );
  });

  test("a partition beyond the reduces is refused", async () => {
    const job = defineJob({ map: (line) => [[line, 1]], partition: (_, n) => n, reduce: count() });
    await expect(bench.run(job, bench.inputs({ a: "b" }))).rejects.toThrow(
      "partition: expected a whole number from 0 to 2, found 3",
    );
  });
});

describe("progress", () => {
  test("of a map is the fraction of input read, of a reduce a third for each stage", async () => {
    const seen = new Map<string, TaskProgress[]>();
    const progressOf = (task: { phase: string; index: number }) => ({
      progressed(one: TaskProgress): void {
        const name = `${task.phase} ${task.index}`;
        seen.set(name, [...(seen.get(name) ?? []), one]);
      },
    });
    const input = bench.inputs({ "a.txt": PROSE });
    const job = defineJob({ map: (line) => [[line, 1]], reduce: count(), combine: false });
    const { plan } = await bench.run(job, input, { splitBytes: 1 << 30, reduces: 1, progressOf });
    for (const [task, reports] of seen) {
      const scores = reports.map(({ score }) => score);
      expect([task, scores]).toEqual([task, [...scores].sort((x, y) => x - y)]);
      expect(scores.at(-1)).toBe(1);
    }
    expect(seen.get("map 0")?.at(-1)).toMatchObject({
      stage: 0,
      bytesRead: plan.totalBytes,
      records: 600,
    });
    expect(seen.get("reduce 0")?.map(({ stage }) => stage)).toContain(0);
    expect(seen.get("reduce 0")?.at(-1)).toMatchObject({ stage: 2, score: 1, records: 600 });
  });
});
