import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../test/support/data-path.ts";
import { pairOf } from "../job/emitted.ts";
import { evaluate } from "../job/evaluate.ts";
import type { Program } from "../job/program.ts";
import { importProgram, partName, prepareJobFile } from "./index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

async function example(name: string): Promise<Program> {
  const file = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
  return importProgram(
    await prepareJobFile({ file, into: join(bench.root, "node_modules", name) }),
  );
}

/** This package's own documents: text that exists wherever its tests run. */
const text = ["docs/glossary.md", "README.md", "LICENSE", "package-lock.json"]
  .map((name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"))
  .join("\n")
  .concat("\nAn error, two Errors and one terror.\n");

async function outputOf(name: string): Promise<readonly string[]> {
  const input = bench.inputs({ "a.txt": text });
  const { output, difference } = await bench.run(await example(name), input, {
    splitBytes: 20_000,
    memoryBytes: 50_000,
  });
  expect(difference).toEqual({ equal: true });
  const parts = [0, 1, 2].map((part) => readFileSync(join(output, partName(part)), "utf8"));
  return parts.join("").trimEnd().split("\n");
}

/** As `sort | uniq -c` prints it. */
function counted(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Array.from(counts, ([word, count]) => `${word}\t${count}`).sort();
}

test("word-count counts every word", async () => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  expect(words.length).toBeGreaterThan(1000);
  expect([...(await outputOf("word-count"))].sort()).toEqual(counted(words));
});

test("grep counts every match", async () => {
  const matches = text.match(/\berrors?\b/gi) ?? [];
  expect(matches.length).toBeGreaterThan(0);
  expect([...(await outputOf("grep"))].sort()).toEqual(counted(matches));
});

test("sort puts all lines in order, over all parts", async () => {
  const lines = text.trimEnd().split("\n");
  const sorted = lines.map((line) => Buffer.from(line)).sort(Buffer.compare);
  expect((await outputOf("sort")).join("\n")).toBe(sorted.map(String).join("\n").trimEnd());
});

describe("the examples that are flows", () => {
  const data = join(bench.root, "data");
  beforeAll(() => {
    const script = fileURLToPath(new URL("../../examples/make-data.mjs", import.meta.url));
    execFileSync(process.execPath, [script, data]);
  });

  const linesOf = (name: string): readonly string[] =>
    readFileSync(join(data, name), "utf8").trimEnd().split("\n");

  test("pagerank gives the ranks of a plain iteration", async () => {
    const links = linesOf("links.txt").map((line) => line.split(" "));
    const targets = new Map<string, string[]>();
    for (const [from = "", to = ""] of links) {
      targets.set(from, [...(targets.get(from) ?? []), to]);
    }
    let ranks = new Map([...targets.keys()].map((page) => [page, 1]));
    for (let round = 0; round < 60; round++) {
      const next = new Map([...targets.keys()].map((page) => [page, 0.15]));
      for (const [page, to] of targets) {
        const share = (0.85 * (ranks.get(page) ?? 0)) / to.length;
        for (const other of to) {
          const so = next.get(other);
          if (so !== undefined) next.set(other, so + share);
        }
      }
      ranks = next;
    }
    const program = await example("pagerank");
    const { outputs } = evaluate({
      ...{ program, params: { tolerance: 1e-4 }, partitions: 1 },
      files: () => [{ file: "links.txt", records: linesOf("links.txt") }],
    });
    const found = new Map((outputs[0] ?? []).flat().map((pair) => pairOf(pair)));
    expect(found.size).toBe(ranks.size);
    for (const [page, rank] of ranks) expect(Number(found.get(page))).toBeCloseTo(rank, 2);
  });

  test("visits joins the log with the table", async () => {
    const rows = (name: string): readonly string[][] =>
      linesOf(name)
        .slice(1)
        .map((line) => line.split(","));
    const names = new Map(rows("countries.csv").map(([code = "", name = ""]) => [code, name]));
    const bytes = new Map<string, number>();
    for (const [, , country = "", status, size] of rows("visits.csv")) {
      if (status !== "200") continue;
      const name = names.get(country) ?? "?";
      bytes.set(name, (bytes.get(name) ?? 0) + Number(size));
    }
    const program = await example("visits");
    const record = (columns: readonly string[]) => (row: readonly string[]) =>
      Object.fromEntries(columns.map((column, i) => [column, row[i]]));
    const columns = ["time", "page", "country", "status", "bytes"];
    const records = new Map([
      ["visits", rows("visits.csv").map(record(columns))],
      ["countries", rows("countries.csv").map(record(["code", "name"]))],
    ]);
    const { outputs } = evaluate({
      ...{ program, params: {}, partitions: 1 },
      files: (read) => [{ file: read, records: records.get(read) ?? [] }],
    });
    expect(new Map((outputs[0] ?? []).flat().map((pair) => pairOf(pair)))).toEqual(bytes);
    expect(outputs[1]?.flat()).toHaveLength(10);
  });
});
