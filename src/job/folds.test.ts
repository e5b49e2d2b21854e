import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distinct } from "./count-distinct.ts";
import { count, type Fold, max, mean, min, sum } from "./fold.ts";
import { quantile } from "./quantile.ts";
import { collect, topK } from "./top-k.ts";

/** Folds the values in groups, cut after the given places, and merges the groups in some order. */
function folded<A, O>(
  fold: Fold<number, A, O>,
  values: readonly number[],
  cuts: readonly number[],
) {
  const groups: A[] = [];
  let so = fold.init();
  let isOpen = false;
  for (const [i, value] of values.entries()) {
    so = fold.add(so, value);
    isOpen = true;
    if (!cuts.includes(i)) continue;
    // Every other group goes before the existing ones.
    if (i % 2 === 0) groups.push(so);
    else groups.unshift(so);
    so = fold.init();
    isOpen = false;
  }
  if (isOpen) groups.push(so);
  while (groups.length > 1) {
    const [left, right] = groups.splice(Math.floor(groups.length / 2) - 1, 2);
    if (left !== undefined && right !== undefined) groups.push(fold.merge(left, right));
  }
  const [only] = groups;
  return only === undefined ? undefined : fold.done(only);
}

const FOLDS: readonly Fold<number, unknown, unknown>[] = [
  count(),
  sum(),
  mean(),
  min(),
  max(),
  topK(3),
  collect<number>(),
  quantile(0.5),
  quantile(0.99),
  distinct(),
];

const values = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.double(), { minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1 }) },
);

describe("a result depends neither on how values are grouped nor on the order of merges", () => {
  test.each(FOLDS.map((fold) => [fold.name, fold] as const))("%s", (_, fold) => {
    fc.assert(
      fc.property(values, fc.array(fc.nat(60)), fc.nat(), (row, cuts, turn) => {
        const at = turn % row.length;
        const turned = [...row.slice(at), ...row.slice(0, at)].reverse();
        expect(folded(fold, turned, cuts)).toEqual(folded(fold, row, []));
      }),
    );
  });

  test.each(
    [quantile(0.25), quantile(0.999), distinct()].map((fold) => [fold.name, fold] as const),
  )("%s, of more values than are kept exactly", (_, fold: Fold<number, unknown, unknown>) => {
    const row = Array.from({ length: 3000 }, (_, i) => ((i * 7919) % 2503) / 7 - 100);
    const expected = folded(fold, row, []);
    for (const cuts of [[10], [999, 1000, 1001], [500, 700, 2000, 2900]]) {
      expect(folded(fold, [...row].reverse(), cuts)).toEqual(expected);
    }
  });
});

const all = <A, O>(fold: Fold<number, A, O>, row: readonly number[]) => folded(fold, row, []);

test("topK gives the greatest values, greatest first, as often as they occur", () => {
  expect(all(topK(3), [1, 5, 2, 5, 4])).toEqual([5, 5, 4]);
  expect(all(topK(3), [1])).toEqual([1]);
  const pages = topK<readonly [number, string]>(2);
  const so = [
    [2, "b"],
    [9, "a"],
    [9, "c"],
  ] as const;
  expect(pages.done(so.reduce(pages.add, pages.init()))).toEqual([
    [9, "c"],
    [9, "a"],
  ]);
  expect(() => topK(0)).toThrow("topK: expected a whole number from 1, found 0");
});

test("quantile is the nearest rank, and near it for many values", () => {
  const row = Array.from({ length: 100 }, (_, i) => i + 1);
  expect([0, 0.5, 0.9, 1].map((q) => all(quantile(q), row))).toEqual([1, 50, 90, 100]);
  const many = Array.from({ length: 20_000 }, (_, i) => ((i * 7919) % 20_000) - 5000);
  for (const q of [0.01, 0.2, 0.5, 0.999]) {
    const exact = [...many].sort((x, y) => x - y)[Math.ceil(q * many.length) - 1] ?? 0;
    expect(Math.abs((all(quantile(q), many) ?? 0) - exact)).toBeLessThanOrEqual(
      0.004 * Math.abs(exact),
    );
  }
  const edges = [...Array(600).fill(0), ...Array(600).fill(Number.POSITIVE_INFINITY)];
  expect([0.1, 0.9].map((q) => all(quantile(q), edges))).toEqual([0, Number.POSITIVE_INFINITY]);
  expect(() => quantile(2)).toThrow("expected a fraction");
});

test("distinct is exact up to 1000 and near beyond", () => {
  expect(all(distinct(), [1, 1, 2, -0, 0])).toBe(4);
  for (const size of [1000, 5000, 40_000, 300_000]) {
    const found =
      all(
        distinct(),
        Array.from({ length: size }, (_, i) => i * 3),
      ) ?? 0;
    const bound = size <= 1000 ? 0 : 0.025 * size;
    expect(Math.abs(found - size)).toBeLessThanOrEqual(bound);
  }
});
