import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cutFile, wholeLines } from "./whole-lines.ts";

const directory = mkdtempSync(join(tmpdir(), "broomwagon-lines-"));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, "lines");

test("an unfinished line does not count, and is cut off", () => {
  writeFileSync(path, 'a\n{"é": 1}\n{"to');
  const lines = [...wholeLines(path)];
  expect(lines.map(({ text }) => text)).toEqual(["a", '{"é": 1}']);
  cutFile(path, lines.at(-1)?.end ?? 0);
  expect(readFileSync(path, "utf8")).toBe('a\n{"é": 1}\n');
});

test("lines longer than one read come whole", () => {
  const long = "ä".repeat(1_500_000);
  writeFileSync(path, `${long}\n\n${long}\n`);
  const lines = [...wholeLines(path)];
  expect(lines.map(({ text }) => text === long)).toEqual([true, false, true]);
  expect(lines.at(-1)?.end).toBe(readFileSync(path).length);
});
