import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { DataPathBench } from "../../test/support/data-path.ts";
import { count, csv, defineJob, fixed, type Input, text } from "../job/index.ts";
import { programOf } from "../job/program-of.ts";
import { InputFile } from "./formats/input-file.ts";
import { planSplits, runNarrow } from "./index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());
afterEach(() => vi.restoreAllMocks());

const MB = 1024 * 1024;

/** Counts the bytes read, searched and moved from now on. */
function workDone(): { read: number; searched: number; moved: number } {
  const work = { read: 0, searched: 0, moved: 0 };
  for (const bytes of [Buffer.prototype, Uint8Array.prototype]) {
    const { indexOf, lastIndexOf, copyWithin } = bytes;
    vi.spyOn(bytes, "indexOf").mockImplementation(function (this: Buffer, byte, from) {
      const found: number = indexOf.call(this, byte, Number(from ?? 0));
      work.searched += (found < 0 ? this.length : found + 1) - Number(from ?? 0);
      return found;
    });
    vi.spyOn(bytes, "lastIndexOf").mockImplementation(function (this: Buffer, byte, from) {
      const last = from === undefined ? this.length - 1 : Number(from);
      const found: number = lastIndexOf.call(this, byte, last);
      work.searched += last - found;
      return found;
    });
    vi.spyOn(bytes, "copyWithin").mockImplementation(function (this: Buffer, to, from, end) {
      work.moved += Number(end ?? this.length) - Number(from);
      return copyWithin.call(this, to, from, end);
    });
  }
  const { read } = InputFile.prototype;
  vi.spyOn(InputFile.prototype, "read").mockImplementation(function (this: InputFile, ...query) {
    const size = read.apply(this, query);
    work.read += size;
    return size;
  });
  return work;
}

/** Runs the map of each split; returns their total work, and how each ended. */
async function mapAll(
  input: Input<unknown>,
  content: string | Buffer,
  query: { readonly splits: number; readonly memoryBytes?: number; readonly name?: string },
) {
  const { splits, memoryBytes = 64 * MB, name = "a.txt" } = query;
  const directory = bench.inputs({ [name]: content });
  const splitBytes = Math.ceil(content.length / splits);
  const plan = await planSplits({ input, paths: [directory], from: bench.root, splitBytes });
  const program = programOf(
    // Kernels cannot run a user's own function.
    defineJob({ input, map: (record) => [[String(record).length, 1]], reduce: count() }),
  );
  const work = workDone();
  let records = 0;
  const failures: string[] = [];
  for (const split of plan.splits) {
    const own = bench.directory();
    const task = { program, phase: 0, params: {}, task: split.index, attempt: 0, partitions: 1 };
    const files = { tables: [], directory: own, to: join(own, "output"), memoryBytes };
    try {
      const source = { kind: "split", split } as const;
      const result = await runNarrow({ ...task, ...files, source });
      if (result.kind === "shuffle-output") records += result.output.inputRecords;
    } catch (error) {
      failures.push(error instanceof Error ? error.message.replace(/^.*\//, "") : String(error));
    }
  }
  vi.restoreAllMocks();
  return { ...work, records, failures, splits: plan.splits.length };
}

const LENGTH = 4 * MB;
const LINE = `${"x".repeat(LENGTH - 1)}\n`;

describe("a long line costs time that is linear in its length", () => {
  test("as one split, and as several", async () => {
    for (const splits of [1, 4]) {
      const { records, failures, read, searched, moved } = await mapAll(text(), LINE, { splits });
      expect({ splits, records, failures }).toEqual({ splits, records: 1, failures: [] });
      expect(searched / LENGTH).toBeLessThan(4);
      expect(moved / LENGTH).toBeLessThan(2);
      expect(read / LENGTH).toBeLessThan(2.1);
    }
  });

  test("among short ones, and at the file's end without a line end", async () => {
    const short = "some words of a line\n".repeat(10_000);
    const content = `${short}${LINE}${short}${"y".repeat(LENGTH)}`;
    const done = await mapAll(text(), content, { splits: 5 });
    expect({ records: done.records, failures: done.failures }).toEqual({
      records: 20_002,
      failures: [],
    });
    expect(done.searched / content.length).toBeLessThan(4);
    expect(done.moved / content.length).toBeLessThan(2);
    expect(done.read / content.length).toBeLessThan(2.5);
  });

  test("if it is compressed", async () => {
    const done = await mapAll(text(), gzipSync(LINE), { splits: 1, name: "a.gz" });
    expect({ records: done.records, failures: done.failures }).toEqual({
      records: 1,
      failures: [],
    });
    expect(done.searched / LENGTH).toBeLessThan(4);
    expect(done.moved / LENGTH).toBeLessThan(2);
  });

  test("as a record of CSV, and as its header", async () => {
    for (const content of [`a\n${LINE}`, `${"x".repeat(LENGTH)}\n1\n2\n3\n`]) {
      const done = await mapAll(csv(), content, { splits: 4 });
      expect(done.failures).toEqual([]);
      expect(done.searched / LENGTH).toBeLessThan(6);
      expect(done.moved / LENGTH).toBeLessThan(2);
      // Each split reads the header.
      expect(done.read / LENGTH).toBeLessThan(12);
    }
  });

  test("as a record of fixed length, compressed or not", async () => {
    const content = Buffer.alloc(2 * LENGTH, "x");
    for (const name of ["a.bin", "a.gz"]) {
      const stored = name === "a.gz" ? gzipSync(content) : content;
      const how = { splits: 4, name, memoryBytes: 64 * MB };
      const done = await mapAll(fixed(LENGTH), stored, how);
      expect({ name, records: done.records }).toEqual({ name, records: 2 });
      expect(done.moved / content.length).toBeLessThan(2);
    }
  });

  test("where kernels read the lines", async () => {
    const job = defineJob({ map: (line) => [[line, 1]], reduce: count() });
    const file = join(bench.inputs({}), "a.txt");
    writeFileSync(file, `${LINE}short\n`);
    const work = workDone();
    const { difference } = await bench.run(job, file, {
      splitBytes: LENGTH / 4,
      memoryBytes: 64 * MB,
    });
    expect(difference).toEqual({ equal: true });
    expect(work.read / LENGTH).toBeLessThan(3.2);
  });
});

describe("a line that is too long", () => {
  const longer = `${"x".repeat(16 * MB - 1)}\n`;

  test("is refused by each split that sees too much of it, without further reading", async () => {
    const done = await mapAll(text(), longer, { splits: 4, memoryBytes: MB });
    expect(done.failures).toEqual(
      [0, 4, 8, 12].map((mb) => {
        const at = mb === 0 ? 0 : mb * MB - 1;
        const expected = `expected a line end within ${MB} bytes, the most that the task may hold`;
        return `a.txt: byte ${at}: ${expected}`;
      }),
    );
    expect(done.read / longer.length).toBeLessThan(0.5);
  });

  test("is read at most once if splits are shorter than the limit", async () => {
    const done = await mapAll(text(), longer, { splits: 16, memoryBytes: 8 * MB });
    expect(done.failures).toHaveLength(1);
    expect(done.read / longer.length).toBeLessThan(1.6);
  });
});
