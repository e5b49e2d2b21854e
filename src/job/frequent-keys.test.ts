import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrequentKeys, type FrequentKeysData } from "./frequent-keys.ts";
import type { Key } from "./key.ts";
import { encodeKey } from "./key-bytes.ts";

const CAPACITY = 4;

const key: fc.Arbitrary<Key> = fc.oneof(
  fc.constantFrom("a", "b", "c", "", 0, -0, 1, 1n, null, true),
  fc.constantFrom<Key>(["a", 1], ["a", 2], []),
  fc.integer({ min: 0, max: 30 }).map((n) => `k${n}`),
);

/** Keys for several sketches, and the order of merges: two remaining sketches at a time. */
const merging = fc.record({
  streams: fc.array(fc.array(key, { maxLength: 40 }), { minLength: 1, maxLength: 6 }),
  order: fc.array(fc.nat({ max: 5 }), { minLength: 12, maxLength: 12 }),
});

function sketchOf(keys: readonly Key[]): FrequentKeysData {
  const sketch = new FrequentKeys(CAPACITY);
  for (const one of keys) sketch.add(one);
  return sketch.data;
}

function merged(streams: readonly (readonly Key[])[], order: readonly number[]): FrequentKeys {
  const left = streams.map(sketchOf);
  for (let step = 0; left.length > 1; step++) {
    const into = new FrequentKeys(CAPACITY);
    for (const at of [order[2 * step] ?? 0, order[2 * step + 1] ?? 0]) {
      for (const one of left.splice(at % left.length, 1)) into.merge(one);
    }
    left.push(into.data);
  }
  const all = new FrequentKeys(CAPACITY);
  for (const one of left) all.merge(one);
  return all;
}

const nameOf = (one: Key): string => encodeKey(one).join();

function timesOf(keys: readonly Key[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const one of keys) times.set(nameOf(one), (times.get(nameOf(one)) ?? 0) + 1);
  return times;
}

describe("frequent keys", () => {
  test("counts are never too high, nor too low by more than the bound, however they merge", () => {
    const property = fc.property(merging, ({ streams, order }) => {
      const keys = streams.flat();
      const times = timesOf(keys);
      const sketch = merged(streams, order);
      const { added, missed, counts } = sketch.data;
      expect(added).toBe(keys.length);
      expect(missed).toBeLessThanOrEqual(keys.length / (CAPACITY + 1));
      expect(counts.length).toBeLessThanOrEqual(CAPACITY);
      const counted = new Map(counts.map(([one, count]) => [nameOf(one), count]));
      for (const [one, really] of times) {
        const count = counted.get(one) ?? 0;
        expect(count).toBeLessThanOrEqual(really);
        expect(count).toBeGreaterThanOrEqual(really - missed);
      }
      expect([...counted.keys()].filter((one) => !times.has(one))).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("no key that occurs more often is left out, and no impossible key is included", () => {
    const property = fc.property(merging, fc.nat({ max: 40 }), ({ streams, order }, more) => {
      const keys = streams.flat();
      const times = Math.ceil(keys.length / (CAPACITY + 1)) + more;
      const sketch = merged(streams, order);
      const found = new Set(sketch.above(times).map(nameOf));
      for (const [one, really] of timesOf(keys)) {
        if (really > times) expect(found).toContain(one);
        if (found.has(one)) expect(really + sketch.data.missed).toBeGreaterThan(times);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("a key that comes late, and seldom at first, is found", () => {
    const rare = Array.from({ length: 5000 }, (_, i) => `rare ${i}`);
    const late = Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? `late ${i}` : "hot"));
    const sketch = new FrequentKeys(64);
    for (const one of [...rare, ...late]) sketch.add(one);
    expect(sketch.above(1900)).toEqual(["hot"]);
  });
});
