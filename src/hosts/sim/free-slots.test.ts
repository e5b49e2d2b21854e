import { expect, test } from "vitest";
import { slotKind } from "../../model/ids.ts";
import { FreeSlots } from "./free-slots.ts";

const of = (...counts: readonly number[]) =>
  counts.map((count, kind) => ({ kind: slotKind(kind), count }));

test("a list says how many slots of each kind are free, and is the same one each time", () => {
  const slots = new FreeSlots(of(2, 3));
  const lists = new Map([0, 1, 2].flatMap((a) => [0, 1, 2, 3].map((b) => [`${a} ${b}`, [a, b]])));
  const first = new Map([...lists].map(([name, free]) => [name, slots.list(free)]));
  for (const [name, free] of lists) {
    expect(slots.list(free)).toEqual(of(...free));
    expect(slots.list(free)).toBe(first.get(name));
  }
});

test("kinds that a node lacks are not in its lists", () => {
  const [, reduces] = of(0, 2);
  expect(new FreeSlots(reduces === undefined ? [] : [reduces]).list([0, 1])).toEqual([
    { kind: 1, count: 1 },
  ]);
});

test("lists of nodes with very many slots are made anew", () => {
  const slots = new FreeSlots(of(100, 100));
  expect(slots.list([70, 3])).toEqual(of(70, 3));
  expect(slots.list([70, 3])).not.toBe(slots.list([70, 3]));
});
