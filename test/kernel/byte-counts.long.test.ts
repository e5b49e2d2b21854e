import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteCounts } from "../../src/data/kernel/byte-counts.ts";
import { upTo, where } from "./any.ts";
import { type KernelBench, onBench, type Where } from "./bench.ts";
import { counted, wordsOf } from "./twin/tables.ts";

/** The offset of a word's count in its slot, which is an entry's payload. */
const COUNT = 24;

const countedIn = (text: string): [string, number][] =>
  counted(wordsOf(text).map((word) => word.text));

function sortedCounts(bench: KernelBench, counts: ByteCounts): [string, number][] {
  const { at, count } = counts.sorted();
  expect(count).toBe(counts.size);
  return bench
    .entries(at, count, "any")
    .map(({ key, payload }) => [key, Number(bench.u64(payload + COUNT))]);
}

const countedByKernel = (text: string, how?: Where): [string, number][] =>
  onBench((bench) => {
    const { at, end } = bench.put(Buffer.from(text, "latin1"), how);
    const counts = new ByteCounts(bench.kernel, bench.memory, 7);
    expect(counts.addWords(at, end)).toBe(end);
    return sortedCounts(bench, counts);
  });

describe("words are counted", () => {
  const latin1 = (max: number) =>
    fc.string({ unit: fc.nat(255).map((c) => String.fromCharCode(c)), ...upTo(max) });

  test("whatever their bytes, and wherever they begin and end", () => {
    fc.assert(
      fc.property(latin1(400), where, (text, how) => {
        expect(countedByKernel(text, how)).toEqual(countedIn(text));
      }),
    );
  });

  test("if they share their beginnings and are longer than a slot", () => {
    const word = fc
      .tuple(fc.constantFrom("", "abcdefgh", "abcdefghijklmnop", "x".repeat(70)), latin1(3))
      .map(([a, b]) => a + b);
    fc.assert(
      fc.property(fc.array(word, upTo(60)), (words) => {
        const text = words.join(" ");
        expect(countedByKernel(text)).toEqual(countedIn(text));
      }),
    );
  });

  test("if the table must grow", () => {
    const words = Array.from({ length: 40_000 }, (_, i) => `word${i}-${"y".repeat(i % 20)}`);
    expect(countedByKernel(words.join("\n"))).toEqual(counted(words));
  });

  test("if the table must grow amid words that are frequent", () => {
    const words = Array.from({ length: 150_000 }, (_, i) =>
      i % 3 === 0 ? `rare${i}` : `word${(i * i) % 97}`,
    );
    expect(countedByKernel(words.join(" "))).toEqual(counted(words));
  });

  test.each([
    ["at first", 1 << 20],
    ["once the table has grown, and some words are hot", 6 << 20],
  ])("in parts, if there is no room for all %s", (_, room) => {
    const words = Array.from({ length: 200_000 }, (_, i) =>
      i % 2 === 0 ? `often${(i * i) % 31}` : `word${(i * 7) % 160_000}`,
    );
    const parts = onBench((bench) => {
      const { memory } = bench;
      const { at, end } = bench.put(Buffer.from(words.join(" ")));
      const counts = new ByteCounts(bench.kernel, memory, 7);
      const { used } = memory;
      // The table allocates behind this allocation.
      const fill = (): void => void memory.tryTake(memory.free - room);
      fill();
      const parts: [string, number][][] = [];
      for (let place = at; place < end; ) {
        place = counts.addWords(place, end);
        // A table that could not grow has left no room for sorting.
        if (room === 1 << 20) memory.release(used);
        parts.push(sortedCounts(bench, counts));
        counts.clear();
        fill();
      }
      return parts;
    });
    expect(parts.length).toBeGreaterThan(1);
    const repeated = parts
      .flat()
      .flatMap(([word, count]) => Array.from({ length: count }, () => word));
    expect(counted(repeated)).toEqual(counted(words));
  });
});
