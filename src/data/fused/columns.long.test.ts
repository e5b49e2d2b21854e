import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import {
  compareKeys,
  count,
  csv,
  type Fold,
  hashKey,
  type Input,
  type Key,
  max,
  mean,
  min,
  sum,
} from "../../job/index.ts";
import { decodeKey } from "../../job/key-bytes.ts";
import { KeyMap } from "../../job/key-map.ts";
import { RunReader } from "../bytes/run-reader.ts";
import { readValue } from "../bytes/value-bytes.ts";
import { csvStarts } from "../formats/csv-starts.ts";
import { openRecords } from "../formats/formats.ts";
import { BadRecords } from "../formats/malformed.ts";
import { eachRecord } from "../formats/record-reader.ts";
import type { Split } from "../formats/split.ts";
import type { NumberFoldKind } from "../memory/number-fold.ts";
import { Workspace } from "../memory/workspace.ts";
import { foldColumns } from "./fold-columns.ts";
import type { FusedMap } from "./fused-map.ts";
import { LineRange } from "./line-range.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-columns-"));
afterAll(() => rmSync(root, { recursive: true }));

const PARTITIONS = 3;
const COLUMNS = { name: "text", k: "number", v: "number" } as const;
const INPUT = csv(undefined, { columns: COLUMNS });
const FOLDS: Readonly<Record<NumberFoldKind, Fold<never, unknown, unknown>>> = {
  count: count(),
  sum: sum(),
  mean: mean(),
  min: min(),
  max: max(),
};

const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -20, max: 20 }).map(String) },
  { weight: 2, arbitrary: fc.constantFrom("0.1", "-2.50", "007", "-0", "123456789012345", "1.5") },
  // The job for the ordinary path.
  fc.constantFrom("1e3", "12345678901234567890", "", "x", "+1"),
);
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("", "a", "bc", "é", "€", " ", "x".repeat(40)) },
  fc.constantFrom('"q"', '"a,b"', '"a\nb"', '"', "\r"),
);
const row = fc.tuple(name, number, number, fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n"));
const content = fc
  .tuple(
    fc.constantFrom("name,k,v\n", "\ufeffname,k,v\r\n", "name,k,v\n\n", "\nname,k,v\n"),
    fc.array(row, { maxLength: 30 }),
    fc.boolean(),
  )
  .map(([header, rows, isOpen]) => {
    const text = header + rows.map(([name, k, v, end]) => `${name},${k},${v}${end}`).join("");
    return isOpen ? text.replace(/\n$/, "") : text;
  });

async function splitsOf(text: string, splitBytes: number): Promise<readonly Split[]> {
  const file = join(root, "input.csv");
  writeFileSync(file, text);
  const fileBytes = statSync(file).size;
  const splits: Split[] = [];
  for (let start = 0; start < Math.max(1, fileBytes); start += splitBytes) {
    const end = Math.min(fileBytes, start + splitBytes);
    splits.push({ index: splits.length, start, end, file, fileBytes, compression: "none" });
  }
  const places = splits.map(({ start }) => start);
  const firstRecords = await csvStarts({ path: file, bytes: fileBytes }, places, ",");
  return splits.map((split, i) => ({ ...split, firstRecord: firstRecords[i] ?? 0 }));
}

interface Asked {
  readonly key: "name" | "k";
  readonly kind: NumberFoldKind;
}

/** The result of the ordinary path; undefined if it reports an error. */
async function usual(split: Split, { key, kind }: Asked) {
  const fold: Fold<unknown, unknown, unknown> = FOLDS[kind];
  const sums = new KeyMap<{ so: unknown }>();
  const input: Input<{ readonly name: string; readonly k: number; readonly v: number }> = INPUT;
  let rows = 0;
  try {
    const reader = openRecords({ split, input, bad: new BadRecords("fail") });
    await eachRecord(reader, (record) => {
      rows++;
      if (typeof record !== "object" || record === null) throw new Error("a row");
      const of: Key = Reflect.get(record, key);
      const sum = sums.getOrMake(of, () => ({ so: fold.init() }));
      sum.so = fold.add(sum.so, Reflect.get(record, "v"));
    });
  } catch {
    return undefined;
  }
  const pairs = Array.from(sums.entries(), ([key, { so }]) => ({ key, so }));
  return { rows, pairs: pairs.sort((left, right) => compareKeys(left.key, right.key)) };
}

/** Undefined if the fused path has given up. */
function fused(split: Split, { key, kind }: Asked, space = new Workspace(8 << 20)) {
  const to = join(root, "output");
  const task: FusedMap = { split, partitions: PARTITIONS, directory: root, to };
  const range = new LineRange(split);
  const { format } = INPUT;
  if (format.kind !== "csv") throw new Error("a csv");
  const value = kind === "count" ? undefined : "v";
  const result = foldColumns(task, space, range, { format, key, value, kind });
  range.close();
  if (result === undefined) return undefined;
  const reader = new RunReader(to);
  const pairs = reader.segments.flatMap((_, partition) => {
    const cursor = reader.cursor(partition);
    const found: { key: Key; so: unknown }[] = [];
    while (cursor.advance()) {
      const { bytes, keyStart, keyEnd, end } = cursor;
      const key = decodeKey(bytes.slice(keyStart, keyEnd));
      expect(hashKey(key) % PARTITIONS).toBe(partition);
      found.push({ key, so: readValue({ bytes, at: keyEnd, end }) });
    }
    expect(found).toEqual(found.toSorted((left, right) => compareKeys(left.key, right.key)));
    return found;
  });
  reader.close();
  const sorted = pairs.sort((left, right) => compareKeys(left.key, right.key));
  return { rows: result.inputRecords, pairs: sorted, spills: result.spills };
}

const asked = fc.record<Asked>({
  key: fc.constantFrom("name", "k"),
  kind: fc.constantFrom("count", "sum", "mean", "min", "max"),
});

test("the fused path gives up, or agrees with the ordinary path", async () => {
  const size = fc.integer({ min: 8, max: 400 });
  const property = fc.asyncProperty(content, size, asked, async (text, splitBytes, what) => {
    for (const split of await splitsOf(text, splitBytes)) {
      const found = fused(split, what);
      if (found === undefined) continue;
      const { spills: _, ...rest } = found;
      expect(rest).toEqual(await usual(split, what));
    }
  });
  await fc.assert(property, { numRuns: 80 });
});

test("plain rows are for the kernels, and more keys than fit are spilled", async () => {
  const rows = Array.from({ length: 40_000 }, (_, i) => {
    const k = (i * 7919) % 25_001;
    return `n${k % 1000},${k},${(i % 50) / 4}`;
  });
  const [split] = await splitsOf(`name,k,v\n${rows.join("\n")}\n`, 1 << 30);
  if (split === undefined) throw new Error("a split");
  for (const kind of ["count", "sum", "mean", "min", "max"] as const) {
    // One fold by text stands for all.
    for (const key of kind === "sum" ? (["k", "name"] as const) : (["k"] as const)) {
      const what = { key, kind };
      const found = fused(split, what, new Workspace(4 << 20));
      expect(found?.rows).toBe(rows.length);
      if (key === "k") expect(found?.spills).toBeGreaterThan(0);
      expect(JSON.stringify(found?.pairs)).toBe(JSON.stringify((await usual(split, what))?.pairs));
    }
  }
});
