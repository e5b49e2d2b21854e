import fc from "fast-check";
import { expect, test } from "vitest";
import { Literal } from "../../src/data/kernel/literal.ts";
import { textOf, upTo, where } from "./any.ts";
import { type KernelBench, onBench, type Place } from "./bench.ts";
import { firstLines, firstMatching, linesOf, type SomeLines } from "./twin/lines.ts";

const someText = textOf("ab \r\n\n", 300);
const room = fc.integer({ min: 1, max: 5 });

/** A kernel's result for a text, turn by turn until nothing is left. */
function inTurns(
  bench: KernelBench,
  { at, end }: Place,
  { room, make }: { room: number; make: (at: number, into: number) => number },
): SomeLines[] {
  const turns: SomeLines[] = [];
  const into = bench.takeEntries(room);
  for (let place = at; place < end; ) {
    const entries = bench.entries(into, make(place, into));
    expect(entries.every(({ payload, partition }) => payload === 0 && partition === 0)).toBe(true);
    turns.push({ lines: entries.map(({ key }) => key), read: bench.u32(bench.result) - place });
    place = bench.u32(bench.result);
  }
  return turns;
}

/** The same by the twin. */
function turnsOf(text: string, first: (rest: string) => SomeLines): SomeLines[] {
  if (text === "") return [];
  const turn = first(text);
  return [turn, ...turnsOf(text.slice(turn.read), first)];
}

test("lines are found, and counted, wherever they end", () => {
  fc.assert(
    fc.property(someText, where, room, (text, how, room) => {
      const found = onBench((bench) => {
        const place = bench.put(Buffer.from(text, "latin1"), how);
        const { kernel, result } = bench;
        const make = (at: number, into: number): number =>
          kernel.lineEntries(at, place.end, into, room, result);
        const turns = inTurns(bench, place, { room, make });
        return { turns, count: kernel.countLines(place.at, place.end) };
      });
      const turns = turnsOf(text, (rest) => firstLines(rest, room));
      expect(found).toEqual({ turns, count: linesOf(text).length });
    }),
    { numRuns: 200 },
  );
});

test("lines that hold a literal are found, and counted", () => {
  const literal = fc.oneof(
    fc.constantFrom("a", "b", "aa", "ab", "ba ", "aab", " "),
    fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, ...upTo(40) }),
  );
  fc.assert(
    fc.property(someText, literal, where, room, (text, wanted, how, room) => {
      const found = onBench((bench) => {
        const literal = new Literal(bench.kernel, bench.memory, Buffer.from(wanted));
        const place = bench.put(Buffer.from(text, "latin1"), how);
        const make = (at: number, into: number): number =>
          literal.lineEntries(at, place.end, into, room, bench.result);
        const turns = inTurns(bench, place, { room, make });
        const count = literal.countLines(place.at, place.end, bench.result);
        return { turns, count, read: bench.u32(bench.result) - place.at };
      });
      const turns = turnsOf(text, (rest) => firstMatching(rest, wanted, room));
      const count = linesOf(text).filter((line) => line.text.includes(wanted)).length;
      expect(found).toEqual({ turns, count, read: text.length });
    }),
    { numRuns: 400 },
  );
});
