import fc from "fast-check";
import { expect, test } from "vitest";
import { ENTRY_BYTES } from "../../src/data/kernel/kernel.ts";
import { Literal } from "../../src/data/kernel/literal.ts";
import { inKernel, type KernelBench, textOf } from "./bench.ts";

const someText = textOf("ab \r\n\n", 300);
const shift = fc.nat(63);

/** Lines as text, by what is known to be right. */
function linesOf(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return last === "" ? ended : [...ended, last];
}

/** The keys of entries that are made a few at a time. */
function inTurns(
  bench: KernelBench,
  at: number,
  end: number,
  make: (at: number, into: number, room: number) => number,
): string[] {
  const room = 3;
  const into = bench.take(room * ENTRY_BYTES);
  const keys: string[] = [];
  for (let place = at; place < end; place = bench.u32(bench.result)) {
    const count = make(place, into, room);
    keys.push(...bench.entries(into, count).map(({ key }) => key));
  }
  return keys;
}

test("lines are found, and counted, wherever they end", () => {
  fc.assert(
    fc.property(someText, shift, (text, off) => {
      const found = inKernel((bench) => {
        const { at, end } = bench.put(text, off);
        const lines = inTurns(bench, at, end, (place, into, room) =>
          bench.kernel.lineEntries(place, end, into, room, bench.result),
        );
        return { lines, count: bench.kernel.countLines(at, end) };
      });
      const lines = linesOf(text);
      expect(found).toEqual({ lines, count: lines.length });
    }),
  );
});

test("lines that hold a literal are found, and counted", () => {
  const literal = fc.oneof(
    fc.constantFrom("a", "b", "aa", "ab", "ba ", "aab", " "),
    fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 40 }),
  );
  fc.assert(
    fc.property(someText, literal, shift, (text, wanted, off) => {
      const found = inKernel((bench) => {
        const literal = new Literal(bench.kernel, bench.memory, Buffer.from(wanted));
        const { at, end } = bench.put(text, off);
        const lines = inTurns(bench, at, end, (place, into, room) =>
          literal.lineEntries(place, end, into, room, bench.result),
        );
        return { lines, count: literal.countLines(at, end, bench.result) };
      });
      const lines = linesOf(text).filter((line) => line.includes(wanted));
      expect(found).toEqual({ lines, count: lines.length });
    }),
    { numRuns: 300 },
  );
});
