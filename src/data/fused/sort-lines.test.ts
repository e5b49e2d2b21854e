import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { decodeKey } from "../../job/key-bytes.ts";
import { RunReader } from "../bytes/run-reader.ts";
import type { Split } from "../formats/split.ts";
import { Workspace } from "../memory/workspace.ts";
import { LineRange } from "./line-range.ts";
import { sortLines } from "./sort-lines.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-sort-"));
afterAll(() => rmSync(root, { recursive: true }));

const PARTITIONS = 3;

/** The keys of each partition of a run file. */
function linesOf(path: string): string[][] {
  const reader = new RunReader(path);
  const partitions = reader.segments.map((_, partition) => {
    const cursor = reader.cursor(partition);
    const lines: string[] = [];
    while (cursor.advance()) {
      lines.push(String(decodeKey(cursor.bytes.slice(cursor.keyStart, cursor.keyEnd))));
    }
    return lines;
  });
  reader.close();
  return partitions;
}

describe("many lines are sorted by range", () => {
  const lines = Array.from(
    { length: 100_000 },
    (_, i) => `${(i * 7919) % 100_003} ${"y".repeat(i % 60)}`,
  );
  const ordered = [...lines].sort();
  const shares = (count: number): readonly string[] =>
    Array.from({ length: count - 1 }, (_, i) =>
      String(ordered[Math.floor(((i + 1) * lines.length) / count)]),
    );
  const ways: [string, number, (count: number) => readonly string[]][] = [
    ["in bins of equal shares", 64 << 20, shares],
    ["in bins of equal shares, spilled", 4 << 20, shares],
    ["nearly all in one bin", 64 << 20, () => ["\0", "zzz"]],
    ["nearly all in one bin, spilled", 4 << 20, () => ["\0", "zzz"]],
  ];
  test.each(ways)("%s", (_, memoryBytes, splittersFor) => {
    const path = join(root, "many.txt");
    writeFileSync(path, lines.join("\r\n"));
    const fileBytes = statSync(path).size;
    const place = { index: 0, start: 0, end: fileBytes };
    const split: Split = { ...place, file: path, fileBytes, compression: "none" };
    const range = new LineRange(split);
    const to = join(root, "output");
    const task = { split, partitions: PARTITIONS, directory: root, to };
    const result = sortLines(task, new Workspace(memoryBytes), range, {
      value: Buffer.from([0x81]),
      splittersFor: (count) => splittersFor(count).map((text) => Buffer.from(text)),
    });
    range.close();
    expect(result?.inputRecords).toBe(lines.length);
    expect((result?.spills ?? 0) > 0).toBe(memoryBytes < 64 << 20);
    const partitions = linesOf(to);
    const ends = splittersFor(PARTITIONS);
    const inside = partitions.map((_, partition) =>
      ordered.filter((line) => ends.filter((end) => end <= line).length === partition),
    );
    // Compared as text, because an assertion for each line takes longer than the whole test.
    expect(partitions.map((found) => found.join("\n")).join("|")).toBe(
      inside.map((lines) => lines.join("\n")).join("|"),
    );
  });
});
