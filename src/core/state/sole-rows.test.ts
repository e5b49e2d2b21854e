import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_ROW, SoleRows } from "./sole-rows.ts";

const SIZE = 20;
const change = fc.record({ index: fc.nat(SIZE - 1), row: fc.option(fc.nat(1_000)) });

test("rows of tasks agree with a plain map", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 100 }), (changes) => {
      const rows = new SoleRows(SIZE);
      const twin = new Map<number, number>();
      for (const { index, row } of changes) {
        if (row === null) {
          rows.remove(index);
          twin.delete(index);
        } else {
          rows.enter(index, row);
          twin.set(index, row);
        }
        const byIndex = [...twin].sort(([a], [b]) => a - b);
        expect(rows.list()).toEqual(byIndex.map(([, own]) => own));
        expect(rows.at(index)).toBe(row ?? NO_ROW);
      }
    }),
  );
});

test("a task that the phase does not have has no row", () => {
  expect(new SoleRows(SIZE).at(SIZE)).toBe(NO_ROW);
});
