import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { addExactly, csv, type ExactSum, roundExactly } from "../../job/index.ts";
import { decodeKey } from "../../job/key-bytes.ts";
import type { JoinSide } from "../../job/parts.ts";
import { RunReader } from "../bytes/run-reader.ts";
import { readValue } from "../bytes/value-bytes.ts";
import type { Split } from "../formats/split.ts";
import { Workspace } from "../memory/workspace.ts";
import { DatasetWriter } from "../task/dataset-file.ts";
import { joinColumns } from "./join-columns.ts";
import { keepColumns } from "./keep-columns.ts";
import { LineRange } from "./line-range.ts";
import { NumberPairs } from "./number-pairs.ts";
import { Found, type NumberTable, numberTable, numberTableOf } from "./number-table.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-join-"));
afterAll(() => rmSync(root, { recursive: true }));

const MEMORY_BYTES = 8 << 20;

type Row = readonly [k: number, v: number];

const { format } = csv(undefined, { columns: { k: "number", v: "number" } });

function fileOf(rows: readonly Row[]): Split {
  const file = join(root, "rows.csv");
  writeFileSync(file, `k,v\n${rows.map((row) => `${row.join(",")}\n`).join("")}`);
  const fileBytes = statSync(file).size;
  const whole = { index: 0, start: 0, end: fileBytes, fileBytes } as const;
  return { ...whole, file, compression: "none" };
}

/** Undefined if the fused path has given up. */
function joined(
  rows: readonly Row[],
  table: NumberTable,
  by: { readonly key: JoinSide; readonly value: JoinSide },
): ReadonlyMap<unknown, unknown> | undefined {
  const split = fileOf(rows);
  const to = join(root, "output");
  const range = new LineRange(split);
  const task = { split, partitions: 2, directory: root, to };
  if (format.kind !== "csv") throw new Error("a csv");
  const asked = { format, key: "k", left: "v", table, by, kind: "sum" } as const;
  const result = joinColumns(task, new Workspace(MEMORY_BYTES), range, asked);
  range.close();
  if (result === undefined) return undefined;
  const reader = new RunReader(to);
  const found = new Map<unknown, unknown>();
  for (const partition of reader.segments.keys()) {
    const cursor = reader.cursor(partition);
    while (cursor.advance()) {
      const { bytes, keyStart, keyEnd, end } = cursor;
      found.set(decodeKey(bytes.slice(keyStart, keyEnd)), readValue({ bytes, at: keyEnd, end }));
    }
  }
  reader.close();
  return found;
}

function pairsOf(rows: readonly Row[]): NumberPairs {
  const pairs = new NumberPairs();
  for (const [k, v] of rows) pairs.add(k, v);
  return pairs;
}

const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(0.5, -2.25, 1e14));
const side = fc.constantFrom<JoinSide>("left", "right");

test("joins and folds agree with a hand computation", () => {
  const rows = fc.array(fc.tuple(number, number), { maxLength: 40 });
  const whole = fc.tuple(fc.nat(9), number);
  const of = (pair: fc.Arbitrary<[number, number]>) =>
    fc.uniqueArray(pair, { selector: ([key]) => key });
  const right = fc.oneof(of(fc.tuple(number, number)), of(whole));
  const property = fc.property(rows, right, side, side, (left, table, key, value) => {
    const groups = new Map(table);
    const sums = new Map<number, ExactSum>();
    for (const [k, v] of left) {
      const met = groups.get(k);
      if (met === undefined) continue;
      const parts = { left: v, right: met };
      sums.set(parts[key], addExactly(sums.get(parts[key]) ?? 0, parts[value]));
    }
    const numbers = numberTable(pairsOf(table), MEMORY_BYTES);
    if (numbers === undefined) throw new Error("a table");
    const found = joined(left, numbers, { key, value });
    const rounded = new Map(Array.from(sums, ([key, so]) => [key, roundExactly(so)]));
    expect(new Map([...(found ?? [])].sort())).toEqual(new Map([...rounded].sort()));
  });
  fc.assert(property, { numRuns: 60 });
});

test("many rows and a large table", () => {
  const table = Array.from({ length: 100_000 }, (_, k): Row => [k, k % 10]);
  const numbers = numberTable(pairsOf(table), 32 << 20);
  if (numbers === undefined) throw new Error("a table");
  const rows = Array.from({ length: 50_000 }, (_, i): Row => [(i * 7919) % 200_000, 1]);
  const counts = new Map<number, number>();
  for (const [k] of rows) if (k < 100_000) counts.set(k % 10, (counts.get(k % 10) ?? 0) + 1);
  const found = joined(rows, numbers, { key: "right", value: "left" });
  expect(new Map([...(found ?? [])].sort())).toEqual(new Map([...counts].sort()));
});

test("there is no table for a repeated key, or without room", () => {
  const twice: readonly Row[] = [
    [1, 1],
    [1, 2],
  ];
  const halves = twice.map(([k, v]): Row => [k / 2, v]);
  const many = Array.from({ length: 100_000 }, (_, k): Row => [k / 2, k]);
  for (const rows of [twice, halves, many]) {
    expect(numberTable(pairsOf(rows), 4 << 20)).toBeUndefined();
  }
});

test("only a dataset of pairs of numbers becomes a table", () => {
  let written = 0;
  const tableOf = (...records: readonly unknown[]): NumberTable | undefined => {
    const path = join(root, `part-${written++}`);
    const writer = new DatasetWriter(path);
    for (const record of records) writer.write(record);
    writer.finish();
    writer.close();
    return numberTableOf([path], MEMORY_BYTES);
  };
  const found = new Found();
  const table = tableOf([1, 200], [0, -3], [7.5, 2 ** 40]);
  expect(table?.find(Float64Array.of(7.5, 3, 0, -0, 1), 5, found)).toBe(3);
  expect(found.rows.subarray(0, 3)).toEqual(Uint32Array.of(0, 2, 4));
  expect(found.values.subarray(0, 3)).toEqual(Float64Array.of(2 ** 40, -3, 200));
  const dense = tableOf([1, 200], [0, -3]);
  expect(dense?.find(Float64Array.of(7.5, 3, -0, 1, Number.NaN), 5, found)).toBe(1);
  expect(found.rows[0]).toBe(3);
  for (const other of [["a", 1], [1, "a"], [1, 2, 3], "ab", 5]) {
    expect(tableOf(other)).toBeUndefined();
  }
});

test("columns are kept as pairs, unless they are not plain numbers", () => {
  const keep = (rows: readonly Row[]) => {
    const split = fileOf(rows);
    const range = new LineRange(split);
    const pairs: Row[] = [];
    if (format.kind !== "csv") throw new Error("a csv");
    const take = (pair: Row): void => void pairs.push(pair);
    const asked = { split, format, key: "k", value: "v", take };
    const kept = keepColumns(new Workspace(MEMORY_BYTES), range, asked);
    range.close();
    return kept && { ...kept, pairs };
  };
  const rows: readonly Row[] = [
    [1, 2],
    [-3.5, 4],
    [0, 123456],
  ];
  expect(keep(rows)).toEqual({ records: 3, pairs: rows });
  expect(keep([...rows, [1e21, 1]])).toBeUndefined();
});
