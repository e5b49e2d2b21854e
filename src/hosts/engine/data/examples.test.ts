import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { DataPathBench } from "../../../../test/support/data-path.ts";
import type { Job } from "../../../job/index.ts";
import { importJob, partName, prepareJobFile } from "./index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

async function example(name: string): Promise<Job> {
  const file = fileURLToPath(new URL(`../../../../examples/${name}.ts`, import.meta.url));
  return importJob(await prepareJobFile({ file, into: join(bench.root, "node_modules", name) }));
}

/** This package's own documents: text that is there wherever its tests run. */
const text = ["docs/glossary.md", "README.md", "LICENSE", "package-lock.json"]
  .map((name) => readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8"))
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

/** As `sort | uniq -c` would have it. */
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
