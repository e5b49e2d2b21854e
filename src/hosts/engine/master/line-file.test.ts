import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LineFile } from "./line-file.ts";

const directory = mkdtempSync(join(tmpdir(), "broomwagon-lines-"));
afterAll(() => rmSync(directory, { recursive: true }));

test("a file that reaches its limit ends with one line that says so", () => {
  const path = join(directory, "nodes.log");
  const file = new LineFile(path, 1000);
  for (let i = 0; i < 5000; i++) file.add(`line ${i}`);
  file.close();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.slice(0, 2)).toEqual(["line 0", "line 1"]);
  expect(lines.at(-1)).toBe("... no more is kept: there was too much");
  expect(lines.filter((line) => line.startsWith("..."))).toHaveLength(1);
  expect(lines.slice(0, -1).join("\n").length).toBeLessThanOrEqual(1000);
});

test("a file that another process has left is continued", () => {
  const path = join(directory, "journal");
  for (const line of ["first", "second"]) {
    const file = new LineFile(path);
    file.add(line);
    file.close();
  }
  expect(readFileSync(path, "utf8")).toBe("first\nsecond\n");
});
