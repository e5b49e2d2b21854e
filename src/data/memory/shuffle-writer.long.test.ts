import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  compareKeys,
  count,
  encodeKey,
  type Fold,
  hashKey,
  type Key,
  max,
  mean,
  min,
  sum,
} from "../../job/index.ts";
import { decodeKey } from "../../job/key-bytes.ts";
import { RunReader } from "../bytes/run-reader.ts";
import { readValue } from "../bytes/value-bytes.ts";
import type { NumberFoldKind } from "./number-fold.ts";
import { type Combining, type ShuffleQuery, ShuffleWriter } from "./shuffle-writer.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-shuffle-"));
afterAll(() => rmSync(root, { recursive: true }));

type Pair = readonly [Key, unknown];
type Options = Pick<ShuffleQuery, "partitions" | "memoryBytes" | "combining" | "partition">;

/** What the run file holds, by partition. */
function written(pairs: Iterable<Pair>, options: Options) {
  const directory = mkdtempSync(join(root, "task-"));
  const to = join(directory, "output");
  const writer = new ShuffleWriter({ directory, to, ...options });
  let spills = 0;
  try {
    for (const [key, value] of pairs) writer.add(key, value);
    spills = writer.finish().spills;
  } finally {
    writer.close();
  }
  expect(readdirSync(directory)).toEqual(["output"]);
  const reader = new RunReader(to);
  const partitions = reader.segments.map((_, partition) => {
    const cursor = reader.cursor(partition);
    const records: Pair[] = [];
    while (cursor.advance()) {
      const { bytes, keyStart, keyEnd, end } = cursor;
      const value = readValue({ bytes, at: keyEnd, end });
      records.push([decodeKey(bytes.slice(keyStart, keyEnd)), value]);
    }
    return records;
  });
  reader.close();
  rmSync(directory, { recursive: true });
  return { partitions, spills };
}

/** The pairs in order, by partition. */
function expected(pairs: readonly Pair[], { partitions, partition }: Options) {
  const sorted = pairs.toSorted(([left], [right]) => compareKeys(left, right));
  const of = partition ?? ((key: Key) => hashKey(key) % partitions);
  return Array.from({ length: partitions }, (_, i) => sorted.filter(([key]) => of(key) === i));
}

/** The results of a fold, with its accumulators merged as in a reduce. */
function results(partitions: readonly (readonly Pair[])[], fold: AnyFold) {
  return partitions.map((records) => {
    const byKey = new Map<string, { key: Key; so: unknown }>();
    for (const [key, so] of records) {
      const at = Buffer.from(encodeKey(key)).toString("latin1");
      const known = byKey.get(at);
      if (known === undefined) byKey.set(at, { key, so });
      else known.so = fold.merge(known.so, so);
    }
    return [...byKey.values()].map(({ key, so }) => [key, fold.done(so)]);
  });
}

type AnyFold = Fold<unknown, unknown, unknown>;

const key: fc.Arbitrary<Key> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("", "a", "\0", "a\0b", "é", "\ud800", "x".repeat(300)),
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  fc.constantFrom(null, true, false, -0, 0),
  fc.tuple(fc.string({ maxLength: 3 }), fc.integer()),
);
const value = fc.oneof(
  fc.integer({ min: -3, max: 200 }),
  fc.string(),
  fc.double(),
  fc.constantFrom(undefined, null, -0, "é", "y".repeat(200)),
  fc.array(fc.integer(), { maxLength: 3 }),
);

describe("pairs are written by partition, by key, and then as they came", () => {
  const shapes = fc.record({
    partitions: fc.integer({ min: 1, max: 5 }),
    memoryBytes: fc.constantFrom(300, 3000, 1 << 20),
  });

  test("whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { maxLength: 80 }), shapes, (pairs, shape) => {
        const options: Options = { ...shape, combining: { kind: "none" } };
        expect(written(pairs, options).partitions).toEqual(expected(pairs, options));
      }),
    );
  });

  test("with a user's partition function", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { maxLength: 80 }), shapes, (pairs, shape) => {
        const partition = (one: Key): number => String(one).length % shape.partitions;
        const options: Options = { ...shape, combining: { kind: "none" }, partition };
        expect(written(pairs, options).partitions).toEqual(expected(pairs, options));
      }),
      { numRuns: 30 },
    );
  });

  test("in many spills, merged in several passes", () => {
    const pairs = Array.from({ length: 40_000 }, (_, i): Pair => [(i * 7919) % 1013, i]);
    const options: Options = { partitions: 2, memoryBytes: 5000, combining: { kind: "none" } };
    const { partitions, spills } = written(pairs, options);
    expect(spills).toBeGreaterThan(256);
    expect(partitions).toEqual(expected(pairs, options));
  });

  test("including records that are larger than a block", () => {
    const pairs = Array.from(
      { length: 30 },
      (_, i): Pair => [
        i % 3 === 0 ? `${i % 4}${"k".repeat(100_000 * (i % 4))}` : i % 5,
        "v".repeat(70_000 * (i % 6)),
      ],
    );
    const options: Options = { partitions: 2, memoryBytes: 4 << 20, combining: { kind: "none" } };
    expect(written(pairs, options).partitions).toEqual(expected(pairs, options));
  });

  test("except a record that memory cannot hold", () => {
    const options: Options = { partitions: 1, memoryBytes: 1000, combining: { kind: "none" } };
    const pairs: Pair[] = [
      ["a", 1],
      ["b", "x".repeat(20 << 20)],
    ];
    expect(() => written(pairs, options)).toThrow("expected records that fit the task's memory");
  });
});

const FOLDS: readonly (readonly [NumberFoldKind | undefined, unknown])[] = [
  ["count", count()],
  ["sum", sum()],
  ["mean", mean()],
  ["min", min()],
  ["max", max()],
  [undefined, sum()],
];

describe("folds give the plain fold's results", () => {
  const number = fc.oneof(
    fc.integer(),
    fc.double(),
    fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, 1e308, -1e308, 5e-324, 0.1),
  );

  test.each(FOLDS)("%s", (numbers, one) => {
    const fold = one as AnyFold;
    const pair = fc.tuple(key, number);
    fc.assert(
      fc.property(
        fc.array(pair, { maxLength: 80 }),
        fc.boolean(),
        fc.boolean(),
        (pairs, combines, isOwn) => {
          const combining: Combining = { kind: "fold", fold, numbers, combines };
          const partition = (of: Key): number => String(of).length % 3;
          const options = {
            partitions: 3,
            memoryBytes: 1 << 20,
            combining,
            ...(isOwn && { partition }),
          };
          const carried = pairs.map(([k, v]): Pair => [k, fold.add(fold.init(), v)]);
          expect(results(written(pairs, options).partitions, fold)).toEqual(
            results(expected(carried, options), fold),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test("in the order of keys, of any kind: one pair for each key", () => {
    const kinds: Readonly<Record<string, (i: number) => Key>> = {
      texts: (i) => `text ${(i * 7919) % 10_007}`,
      bigints: (i) => BigInt((i * 7919) % 10_007),
      dates: (i) => new Date((i * 7919) % 10_007),
      "numbers, then texts": (i) => (i < 20_000 ? i : `text ${i % 1000}`),
      "texts, then numbers": (i) => (i < 20_000 ? `text ${i % 1000}` : i),
      "some of each": (i) => [i, `text ${i % 100}`, null, [i], BigInt(i)][i % 5] ?? null,
    };
    for (const [kind, make] of Object.entries(kinds)) {
      const pairs = Array.from({ length: 60_000 }, (_, i): Pair => [i % 304, make(i)]);
      for (const fold of [min<Key>(), max<Key>()]) {
        const combining = { kind: "fold", fold, numbers: fold.numbers, combines: true } as const;
        const options = { partitions: 3, memoryBytes: 1 << 22, combining };
        const { partitions } = written(pairs, options);
        expect({ kind, sent: partitions.flat().length }).toEqual({ kind, sent: 304 });
        const best = new Map<Key, Key>();
        for (const [key, value] of pairs as readonly (readonly [Key, Key])[]) {
          const so = best.get(key);
          const order = so === undefined ? 0 : compareKeys(value, so);
          if (fold.name === "min" ? order <= 0 : order >= 0) best.set(key, value);
        }
        for (const [key, value] of partitions.flat()) expect(value).toEqual(best.get(key));
      }
    }
  });

  test("where there are nearly as many keys as pairs, and sorting takes over", () => {
    const pairs = Array.from({ length: 150_000 }, (_, i): Pair => [`key ${i % 140_000}`, i]);
    const fold = sum() as AnyFold;
    const combining: Combining = { kind: "fold", fold, numbers: "sum", combines: true };
    const options: Options = { partitions: 2, memoryBytes: 64 << 20, combining };
    const { partitions, spills } = written(pairs, options);
    expect(spills).toBe(0);
    // Sorting keeps every pair, so there are more records than keys.
    expect(partitions.flat().length).toBeGreaterThan(140_000);
    const totals = new Map<Key, number>();
    for (const [key, value] of pairs) totals.set(key, (totals.get(key) ?? 0) + Number(value));
    const found = results(partitions, fold).flat();
    expect(new Map(found.map(([key, total]) => [String(key), total]))).toEqual(totals);
  });

  test("where two numbers cannot hold a sum, again and again, without a spill for each", () => {
    const numbers = [1e300, 1, 1e-300, -1e300, 1e200, 3, 1e-200];
    const pairs = Array.from({ length: 7000 }, (_, i): Pair => ["a", numbers[i % 7]]);
    const fold = sum() as AnyFold;
    const combining: Combining = { kind: "fold", fold, numbers: "sum", combines: true };
    const options: Options = { partitions: 1, memoryBytes: 1 << 20, combining };
    const { partitions, spills } = written(pairs, options);
    expect(spills).toBeLessThan(10);
    expect(results(partitions, fold)).toEqual(
      results(
        expected(
          pairs.map(([key, value]): Pair => [key, fold.add(fold.init(), value)]),
          options,
        ),
        fold,
      ),
    );
  });
});
