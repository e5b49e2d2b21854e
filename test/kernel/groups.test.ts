import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GroupTable } from "../../src/data/kernel/groups.ts";
import { MISSING } from "../../src/data/kernel/kernel.ts";
import {
  addExactly,
  compareKeys,
  type ExactSum,
  encodeKey,
  roundExactly,
} from "../../src/job/index.ts";
import { inKernel, type KernelBench, someKey } from "./bench.ts";

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** The ids of keys, by what is known to be right. */
function idsOf(keys: readonly string[]): number[] {
  const ids = new Map<string, number>();
  return keys.map((key) => {
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  });
}

type Sorted = ReturnType<KernelBench["entries"]>[number];

const byPartitionThenKey = (left: Sorted, right: Sorted): number =>
  left.partition - right.partition || (left.key < right.key ? -1 : 1);

const ofBytes = (bench: KernelBench, stride = 0): GroupTable =>
  GroupTable.ofBytes(bench.kernel, bench.memory, { keys: "plain", seed: 7, stride });

describe("groups of byte strings", () => {
  test("number them as they come, find them, and give them in order", () => {
    fc.assert(
      fc.property(fc.array(someKey, { maxLength: 60 }), someKey, (keys, other) => {
        const found = inKernel((bench) => {
          const cells = bench.putCells([...keys, other]);
          const ids = bench.take(4 * (keys.length + 1));
          const groups = ofBytes(bench);
          expect(groups.group(cells, keys.length, ids)).toBe(keys.length);
          const grouped = bench.u32s(ids, keys.length);
          groups.find(cells, keys.length + 1, ids);
          expect(bench.u32s(ids, keys.length)).toEqual(grouped);
          const { at, count } = groups.sorted(3);
          return {
            grouped,
            other: bench.u32(ids + 4 * keys.length),
            sorted: bench.entries(at, count),
          };
        });
        const texts = keys.map(latin1);
        const ids = idsOf(texts);
        expect(found.grouped).toEqual(ids);
        expect(found.other).toBe(ids[texts.indexOf(latin1(other))] ?? MISSING);
        for (const { key, payload } of found.sorted) expect(payload).toBe(ids[texts.indexOf(key)]);
        expect(found.sorted).toHaveLength(new Set(texts).size);
        expect(found.sorted).toEqual(found.sorted.toSorted(byPartitionThenKey));
      }),
    );
  });

  test("grow with their accumulators", () => {
    const keys = Array.from({ length: 60_000 }, (_, i) =>
      Buffer.from(`${(i * 7) % 40_000}${"x".repeat(i % 7 === 0 ? 30 : 0)}`),
    );
    const text = Buffer.concat(keys);
    const total = inKernel((bench) => {
      const { at } = bench.put(text);
      let place = at;
      const cells = bench.putU32(
        keys.flatMap((key) => {
          place += key.length;
          return [place - key.length, key.length];
        }),
      );
      const ids = bench.take(4 * keys.length);
      const groups = ofBytes(bench, 8);
      const half = keys.length / 2;
      expect(groups.group(cells, half, ids)).toBe(half);
      bench.kernel.countIds(groups.accumulators, 8, ids, half);
      expect(groups.group(cells + 8 * half, half, ids)).toBe(half);
      bench.kernel.countIds(groups.accumulators, 8, ids, half);
      return bench.u32s(groups.accumulators, 2 * groups.size).reduce((so, one) => so + one, 0);
    });
    expect(total).toBe(keys.length);
  });
});

describe("groups of numbers", () => {
  const number = fc.oneof(fc.double(), fc.integer({ min: -5, max: 5 }));

  test("number them as they come, find them, and give them in order", () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 60 }), number, (numbers, other) => {
        const found = inKernel((bench) => {
          const cells = bench.putF64([...numbers, other]);
          bench.kernel.numberKeys(cells, numbers.length + 1);
          const ids = bench.take(4 * (numbers.length + 1));
          const groups = GroupTable.ofNumbers(bench.kernel, bench.memory, 0);
          expect(groups.group(cells, numbers.length, ids)).toBe(numbers.length);
          const grouped = bench.u32s(ids, numbers.length);
          groups.find(cells, numbers.length + 1, ids);
          const { at, count } = groups.sorted();
          const inOrder = bench.entries(at, count).map(({ payload }) => payload);
          return { grouped, again: bench.u32s(ids, numbers.length + 1), inOrder };
        });
        const keys = numbers.map((x) => latin1(encodeKey(x)));
        expect(found.grouped).toEqual(idsOf(keys));
        const isThere = keys.includes(latin1(encodeKey(other)));
        expect(found.again.slice(0, -1)).toEqual(found.grouped);
        expect(found.again.at(-1) === MISSING).toBe(!isThere);
        const values = found.inOrder.map((id) => numbers[found.grouped.indexOf(id)] ?? 0);
        expect(values).toEqual(values.toSorted(compareKeys));
        expect(values).toHaveLength(new Set(keys).size);
      }),
    );
  });

  test("grow with their accumulators", () => {
    const keys = Array.from({ length: 70_000 }, (_, i) => (i * 31) % 35_000);
    const sums = inKernel((bench) => {
      const cells = bench.putF64(keys);
      const values = bench.putF64(keys);
      bench.kernel.numberKeys(cells, keys.length);
      const ids = bench.take(4 * keys.length);
      const groups = GroupTable.ofNumbers(bench.kernel, bench.memory, 16);
      for (let i = 0; i < keys.length; i += 10_000) {
        expect(groups.group(cells + 8 * i, 10_000, ids)).toBe(10_000);
        const { accumulators } = groups;
        bench.kernel.sumValues(accumulators, 16, ids, values + 8 * i, 10_000);
      }
      return Array.from({ length: 3 }, (_, id) =>
        bench.memory.view.getFloat64(groups.accumulators + 16 * id, true),
      );
    });
    expect(sums).toEqual([0, 62, 124]);
  });
});

test("groups are full when there is no room for more", () => {
  const isFull = inKernel((bench) => {
    const cells = bench.putF64(Array.from({ length: 20_000 }, (_, i) => i));
    const ids = bench.take(4 * 20_000);
    const groups = GroupTable.ofNumbers(bench.kernel, bench.memory, 0);
    // What is taken behind them leaves no room to grow.
    bench.take(bench.memory.free - (1 << 20));
    const done = groups.group(cells, 20_000, ids);
    groups.clear();
    return { done, then: groups.group(cells + 8 * done, 20_000 - done, ids) };
  });
  expect(isFull.done).toBeLessThan(20_000);
  expect(isFull.then).toBe(20_000 - isFull.done);
});

describe("accumulators", () => {
  /** Accumulators of one group to which values were added. */
  const addTo = (bench: KernelBench, values: readonly number[]) => {
    const ids = bench.putU32(values.map(() => 1));
    const cells = bench.putF64(values);
    const base = bench.take(48);
    bench.memory.bytes.fill(0, base, base + 48);
    return { ids, cells, base };
  };

  test("are exact sums, as long as they say so", () => {
    const value = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer(),
      fc.nat(99).map((x) => x / 10),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), (values) => {
        const { added, high, low } = inKernel((bench) => {
          const { ids, cells, base } = addTo(bench, values);
          const added = bench.kernel.sumValues(base, 16, ids, cells, values.length);
          const [high, low] = [16, 24].map((at) => bench.memory.view.getFloat64(base + at, true));
          return { added, high: high ?? 0, low: low ?? 0 };
        });
        const exactly = values.slice(0, added).reduce<ExactSum>(addExactly, 0);
        expect(addExactly(addExactly(exactly, -high), -low)).toEqual(0);
        expect(high + 0).toBe(roundExactly(exactly) + 0);
      }),
    );
  });

  test("hold tenths by the thousand", () => {
    const values = Array.from({ length: 200_000 }, (_, i) => (i % 1000) / 10);
    const sum = inKernel((bench) => {
      const { ids, cells, base } = addTo(bench, values);
      expect(bench.kernel.sumValues(base, 16, ids, cells, values.length)).toBe(values.length);
      return bench.memory.view.getFloat64(base + 16, true);
    });
    expect(sum).toBe(roundExactly(values.reduce<ExactSum>(addExactly, 0)));
  });

  test("are the least and the greatest in the order of keys", () => {
    fc.assert(
      fc.property(fc.array(fc.double(), { minLength: 1, maxLength: 20 }), (values) => {
        const { least, greatest } = inKernel((bench) => {
          const { ids, cells, base } = addTo(bench, values);
          const { kernel, memory } = bench;
          kernel.numberKeys(cells, values.length);
          kernel.leastValues(base, 16, ids, cells, values.length);
          const least = memory.view.getBigUint64(base + 16, true);
          memory.bytes.fill(0, base, base + 48);
          kernel.greatestValues(base, 16, ids, cells, values.length);
          return { least, greatest: memory.view.getBigUint64(base + 16, true) };
        });
        const keys = values.toSorted(compareKeys).map((x) => Buffer.from(encodeKey(x)));
        expect(least).toBe(keys[0]?.readBigUInt64BE(1));
        expect(greatest).toBe(keys.at(-1)?.readBigUInt64BE(1));
      }),
    );
  });

  test("are no sums of what is not finite", () => {
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const added = inKernel((bench) => {
        const { ids, cells, base } = addTo(bench, [1, odd, 2]);
        return bench.kernel.sumValues(base, 16, ids, cells, 3);
      });
      expect(added).toBe(1);
    }
  });
});
