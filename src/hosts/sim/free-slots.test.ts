import { expect, test } from "vitest";
import { slotKind } from "../../model/ids.ts";
import { FreeSlots } from "./free-slots.ts";

const of = (...counts: readonly number[]) =>
  counts.map((count, kind) => ({ kind: slotKind(kind), count }));

/** Frees `counts` slots of each kind on a node without free slots. */
const free = (slots: FreeSlots, counts: readonly number[]): number =>
  counts.reduce((sum, count, kind) => sum + count * slots.unit(slotKind(kind)), 0);

test("a list gives the free slots of each kind, and equal counts share one list", () => {
  const slots = new FreeSlots(of(2, 3));
  const frees = [0, 1, 2].flatMap((a) => [0, 1, 2, 3].map((b) => [a, b] as const));
  const first = frees.map((counts) => slots.list(free(slots, counts)));
  for (const [place, counts] of frees.entries()) {
    expect(slots.list(free(slots, counts))).toEqual(of(...counts));
    expect(slots.list(free(slots, counts))).toBe(first[place]);
    for (const [kind, count] of counts.entries()) {
      expect(slots.count(free(slots, counts), slotKind(kind))).toBe(count);
    }
  }
  expect(slots.list(slots.all)).toEqual(of(2, 3));
});

test("kinds that a node lacks are not in its lists", () => {
  const [, reduces] = of(0, 2);
  const slots = new FreeSlots(reduces === undefined ? [] : [reduces]);
  expect(slots.list(free(slots, [0, 1]))).toEqual([{ kind: 1, count: 1 }]);
  expect(slots.count(slots.all, slotKind(0))).toBe(0);
});

test("lists of nodes with very many slots are not kept", () => {
  const slots = new FreeSlots(of(100, 100));
  const some = free(slots, [70, 53]);
  expect(slots.list(some)).toEqual(of(70, 53));
  expect(slots.list(some)).not.toBe(slots.list(some));
});
