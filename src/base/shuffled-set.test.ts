import fc from "fast-check";
import { expect, test } from "vitest";
import { randomState } from "./random.ts";
import { ShuffledSet } from "./shuffled-set.ts";

const step = fc.record({ does: fc.constantFrom("add", "delete"), item: fc.nat({ max: 9 }) });

const listed = (set: ShuffledSet): readonly (number | undefined)[] =>
  Array.from({ length: set.size }, (_, place) => set.at(place));

test("has the same items as a set, each once", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(), (steps, seed) => {
      const shuffled = new ShuffledSet(randomState(seed), 10);
      const plain = new Set<number>();
      for (const { does, item } of steps) {
        if (does === "add") {
          shuffled.add(item);
          plain.add(item);
        } else {
          shuffled.delete(item);
          plain.delete(item);
        }
        const items = listed(shuffled);
        expect(items.length).toBe(plain.size);
        expect(new Set(items)).toEqual(plain);
      }
    }),
  );
});

test("each order is equally frequent", () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 6000; seed += 1) {
    const set = new ShuffledSet(randomState(seed), 3);
    for (const item of [0, 1, 2]) set.add(item);
    const order = listed(set).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
});

test("is empty once it is cleared", () => {
  const set = new ShuffledSet(randomState(1), 3);
  set.add(2);
  set.clear();
  set.delete(2);
  expect(listed(set)).toEqual([]);
});
