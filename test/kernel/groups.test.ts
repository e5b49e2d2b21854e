import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GroupTable } from "../../src/data/kernel/groups.ts";
import { compareKeys, hashKey } from "../../src/job/index.ts";
import { someKey, upTo } from "./any.ts";
import { type KernelBench, latin1, numberKey, onBench } from "./bench.ts";
import { idsOf, parted, sorted } from "./twin/order.ts";

const MISSING = 0xffff_ffff;
const PARTITIONS = 3;

const ofBytes = (bench: KernelBench, stride = 0): GroupTable =>
  GroupTable.ofBytes(bench.kernel, bench.memory, { keys: "plain", seed: 7, stride });

describe("groups of byte strings", () => {
  /** ASCII, so that the bytes' hash equals the key's. */
  const ascii = someKey.map((key) => key.map((byte) => byte & 0x7f));

  test("number them as they come, find them, and give them in order", () => {
    fc.assert(
      fc.property(fc.array(ascii, upTo(60)), ascii, (keys, other) => {
        const found = onBench((bench) => {
          const cells = bench.putCells([...keys, other]);
          const ids = bench.take(4 * (keys.length + 1));
          const groups = ofBytes(bench);
          expect(groups.group(cells, keys.length, ids)).toBe(keys.length);
          const grouped = bench.u32s(ids, keys.length);
          groups.find(cells, keys.length + 1, ids);
          const again = bench.u32s(ids, keys.length + 1);
          const { at, count } = groups.sorted(PARTITIONS);
          const sorted = bench.entries(at, count, "any");
          const alike = groups.parted(PARTITIONS);
          return { grouped, again, sorted, parted: bench.partitions(alike.at, alike.count) };
        });
        const texts = keys.map(latin1);
        const ids = idsOf(texts);
        const wanted = ids[texts.indexOf(latin1(other))] ?? MISSING;
        expect(found.grouped).toEqual(ids);
        expect(found.again).toEqual([...ids, wanted]);
        const entries = [...new Set(texts)].map((key, payload) => ({
          ...{ key, payload },
          partition: hashKey(key) % PARTITIONS,
        }));
        expect(found.sorted).toEqual(sorted(entries));
        expect(found.parted).toEqual(parted(entries).map(({ partition }) => partition));
      }),
    );
  });

  test("grow with their accumulators", () => {
    const texts = Array.from(
      { length: 60_000 },
      (_, i) => `${(i * 7) % 40_000}${"x".repeat(i % 7 === 0 ? 30 : 0)}`,
    );
    const counts = onBench((bench) => {
      const cells = bench.putCells(texts.map((text) => Buffer.from(text)));
      const ids = bench.take(4 * texts.length);
      const groups = ofBytes(bench, 8);
      const half = texts.length / 2;
      for (const from of [0, half]) {
        expect(groups.group(cells + 8 * from, half, ids)).toBe(half);
        bench.kernel.countIds(groups.accumulators, 8, ids, half);
      }
      return Array.from({ length: groups.size }, (_, id) =>
        Number(bench.u64(groups.accumulators + 8 * id)),
      );
    });
    const expected: number[] = [];
    for (const id of idsOf(texts)) expected[id] = (expected[id] ?? 0) + 1;
    expect(counts).toEqual(expected);
  });
});

describe("groups of numbers", () => {
  const number = fc.oneof(fc.double(), fc.integer({ min: -5, max: 5 }));

  test("number them as they come, find them, and give them in order", () => {
    fc.assert(
      fc.property(fc.array(number, upTo(60)), number, (numbers, other) => {
        const found = onBench((bench) => {
          const cells = bench.putNumberKeys([...numbers, other]);
          const ids = bench.take(4 * (numbers.length + 1));
          const groups = GroupTable.ofNumbers(bench.kernel, bench.memory, 0);
          expect(groups.group(cells, numbers.length, ids)).toBe(numbers.length);
          const grouped = bench.u32s(ids, numbers.length);
          groups.find(cells, numbers.length + 1, ids);
          const again = bench.u32s(ids, numbers.length + 1);
          const { at, count } = groups.sorted();
          return { grouped, again, sorted: bench.numberEntries(at, count) };
        });
        const keys = numbers.map(numberKey);
        const ids = idsOf(keys);
        expect(found.grouped).toEqual(ids);
        expect(found.again).toEqual([...ids, ids[keys.indexOf(numberKey(other))] ?? MISSING]);
        const distinct = [...new Set(keys)].map((key, payload) => ({
          number: numbers[keys.indexOf(key)] ?? Number.NaN,
          payload,
        }));
        expect(found.sorted).toEqual(
          distinct.sort((left, right) => compareKeys(left.number, right.number)),
        );
      }),
    );
  });

  test("grow with their accumulators", () => {
    const keys = Array.from({ length: 70_000 }, (_, i) => (i * 31) % 35_000);
    const sums = onBench((bench) => {
      const cells = bench.putNumberKeys(keys);
      const values = bench.putF64(keys);
      const ids = bench.take(4 * keys.length);
      const groups = GroupTable.ofNumbers(bench.kernel, bench.memory, 16);
      for (let i = 0; i < keys.length; i += 10_000) {
        expect(groups.group(cells + 8 * i, 10_000, ids)).toBe(10_000);
        bench.kernel.sumValues(groups.accumulators, 16, ids, values + 8 * i, 10_000);
      }
      return Array.from({ length: groups.size }, (_, id) =>
        bench.f64(groups.accumulators + 16 * id),
      );
    });
    // Each key comes twice.
    expect(sums).toEqual(keys.slice(0, 35_000).map((key) => 2 * key));
  });
});

test("groups are full when there is no room for more", () => {
  const isFull = onBench((bench) => {
    const { memory } = bench;
    const cells = bench.putNumberKeys(Array.from({ length: 20_000 }, (_, i) => i));
    const ids = bench.take(4 * 20_000);
    const groups = GroupTable.ofNumbers(bench.kernel, memory, 0);
    // What is taken behind them leaves no room to grow.
    memory.tryTake(memory.free - (1 << 20));
    const done = groups.group(cells, 20_000, ids);
    groups.clear();
    return { done, then: groups.group(cells + 8 * done, 20_000 - done, ids) };
  });
  // Half of the slots that a table has at first.
  expect(isFull).toEqual({ done: 2 ** 14, then: 20_000 - 2 ** 14 });
});
