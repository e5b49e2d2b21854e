import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteCounts } from "../../src/data/kernel/byte-counts.ts";
import { ENTRY_BYTES } from "../../src/data/kernel/kernel.ts";
import { inKernel, type KernelBench } from "./bench.ts";

/** How often each word occurs, in the order of their bytes. */
function counted(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is no word is up to 0x20.
const wordsOf = (text: string): string[] => text.split(/[\x00-\x20]+/).filter((word) => word);

function sortedCounts(bench: KernelBench, counts: ByteCounts): [string, number][] {
  const { at: first, count } = counts.sorted();
  return Array.from({ length: count }, (_, i) => {
    const [key = 0, bytes = 0, slot = 0] = bench.u32s(first + i * ENTRY_BYTES + 8, 3);
    return [bench.text(key, key + bytes), Number(bench.memory.view.getBigUint64(slot + 24, true))];
  });
}

const countedByKernel = (text: string, shift = 0): [string, number][] =>
  inKernel((bench) => {
    const { at, end } = bench.put(Buffer.from(text, "latin1"), shift);
    const counts = new ByteCounts(bench.kernel, bench.memory, 7);
    expect(counts.addWords(at, end)).toBe(end);
    return sortedCounts(bench, counts);
  });

describe("words are counted", () => {
  const latin1 = (max: number) =>
    fc.string({ unit: fc.nat(255).map((c) => String.fromCharCode(c)), maxLength: max });

  test("whatever bytes they consist of, and wherever they begin and end", () => {
    fc.assert(
      fc.property(latin1(400), fc.nat(63), (text, shift) => {
        expect(countedByKernel(text, shift)).toEqual(counted(wordsOf(text)));
      }),
    );
  });

  test("if they share their beginnings and are longer than what a slot holds", () => {
    const word = fc
      .tuple(fc.constantFrom("", "abcdefgh", "abcdefghijklmnop", "x".repeat(70)), latin1(3))
      .map(([a, b]) => a + b);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join(" ");
        expect(countedByKernel(text)).toEqual(counted(wordsOf(text)));
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

  test("in parts, if there is no room for all", () => {
    const words = Array.from({ length: 200_000 }, (_, i) =>
      i % 2 === 0 ? `often${(i * i) % 31}` : `word${(i * 7) % 80_000}`,
    );
    const parts = inKernel((bench) => {
      const { at, end } = bench.put(Buffer.from(words.join(" ")));
      const counts = new ByteCounts(bench.kernel, bench.memory, 7);
      const { used } = bench.memory;
      // What is taken behind it leaves no room to grow.
      bench.take(bench.memory.free - (1 << 20));
      const parts: [string, number][][] = [];
      for (let place = at; place < end; ) {
        place = counts.addWords(place, end);
        bench.memory.release(used);
        parts.push(sortedCounts(bench, counts));
        counts.clear();
        bench.take(bench.memory.free - (1 << 20));
      }
      const all = new Map<string, number>();
      for (const [word, count] of parts.flat()) all.set(word, (all.get(word) ?? 0) + count);
      return { isMore: parts.length > 1, all: [...all].sort() };
    });
    expect(parts.isMore).toBe(true);
    expect(parts.all).toEqual(counted(words));
  });
});
