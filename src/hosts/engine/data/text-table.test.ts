import fc from "fast-check";
import { expect, test } from "vitest";
import { TextTable } from "./text-table.ts";

interface Entry {
  readonly text: string;
  count: number;
}

function counted(texts: readonly string[]): TextTable<Entry> {
  const table = new TextTable<Entry>();
  for (const text of texts) {
    const found = table.find(text);
    if (found === undefined) table.add({ text, count: 1 });
    else found.count++;
  }
  return table;
}

function countedPlainly(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts];
}

const countsIn = (table: TextTable<Entry>): readonly (readonly [string, number])[] =>
  Array.from(table.values(), ({ text, count }) => [text, count] as const);

test("a table of texts holds what a Map would, in the same order", () => {
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 3 }));
  fc.assert(
    fc.property(texts, (some) => {
      expect(countsIn(counted(some))).toEqual(countedPlainly(some));
    }),
  );
});

test("it grows, and finds what it held before", () => {
  const texts = Array.from({ length: 20_000 }, (_, i) => `text ${i % 7000}`);
  const table = counted(texts);
  expect(table.size).toBe(7000);
  expect(countsIn(table)).toEqual(countedPlainly(texts));
});

test("it is empty when it has been cleared, and can be used again", () => {
  const table = counted(["a", "b", "a"]);
  table.clear();
  expect([table.size, table.find("a")]).toEqual([0, undefined]);
  table.add({ text: "a", count: 5 });
  expect(countsIn(table)).toEqual([["a", 5]]);
});
