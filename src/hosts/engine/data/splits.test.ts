import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../../test/support/data-path.ts";
import { defineJob, text } from "../../../job/index.ts";
import { defaultReduces, planSplits, runMapOnly } from "./index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

describe("splits", () => {
  const sizes = (input: string, splitBytes: number): string[] =>
    planSplits({ input: text(), paths: [input], from: bench.root, splitBytes }).splits.map(
      ({ file, start, end, index }) => `${index} ${file.slice(input.length + 1)} ${start}-${end}`,
    );

  test("are cut at fixed places, the last at most a tenth longer, gzip files not at all", () => {
    const input = bench.inputs({
      b: "x".repeat(205),
      a: "x".repeat(111),
      "c.gz": gzipSync("x"),
      d: "",
    });
    expect(sizes(input, 100)).toEqual([
      "0 a 0-100",
      "1 a 100-111",
      "2 b 0-100",
      "3 b 100-205",
      "4 c.gz 0-21",
    ]);
  });

  test("pass over names that start with _ or .", () => {
    const input = bench.inputs({ _SUCCESS: "x", ".hidden": "x", a: "x" });
    expect(sizes(input, 100)).toEqual(["0 a 0-1"]);
  });

  test("of globs come sorted and once", () => {
    const input = bench.inputs({ "b.txt": "x", "a.txt": "x", "c.log": "x", "_d.txt": "x" });
    mkdirSync(join(input, "sub"));
    writeFileSync(join(input, "sub", "e.txt"), "x");
    const found = (pattern: string): string[] =>
      planSplits({ input: text(pattern), from: input }).splits.map(({ file }) =>
        file.slice(input.length + 1),
      );
    expect(found("*.txt")).toEqual(["a.txt", "b.txt"]);
    expect(found("**/*.txt")).toEqual(["a.txt", "b.txt", "sub/e.txt"]);
    expect(found("**")).toEqual(["a.txt", "b.txt", "c.log", "sub/e.txt"]);
    expect(found("{a,b}.*")).toEqual(["a.txt", "b.txt"]);
    expect(found("[!a].???")).toEqual(["b.txt", "c.log"]);
    expect(found("_*")).toEqual(["_d.txt"]);
    expect(found(".")).toEqual(["a.txt", "b.txt", "c.log", "sub/e.txt"]);
    expect(() => found("*.md")).toThrow("input *.md: no such file");
  });

  test("of a file that has changed since are refused", async () => {
    const input = bench.inputs({ "a.txt": "one\n" });
    const [split] = planSplits({ input: text(), paths: [input], from: bench.root }).splits;
    writeFileSync(join(input, "a.txt"), "one\ntwo\n");
    const to = join(bench.directory(), "part");
    const job = defineJob({ map: () => [] });
    const task = { job, params: {}, attempt: 0, reduces: 1, directory: bench.directory(), to };
    await expect(runMapOnly({ ...task, split: split ?? expect.fail() })).rejects.toThrow(
      "expected the 4 bytes that it had when the job began, found 8",
    );
  });

  test("give one reduce for each 64 MB, 1 to 64", () => {
    const megabyte = 2 ** 20;
    expect([0, 1, 64 * megabyte, 64 * megabyte + 1, 2 ** 40].map(defaultReduces)).toEqual([
      1, 1, 1, 2, 64,
    ]);
  });
});
