import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { someKey, textOf, upTo } from "./any.ts";
import { type KernelBench, keyedNumber, latin1, numberKey, onBench } from "./bench.ts";
import { compareTexts } from "./twin/order.ts";
import { type Limits, Table, type Word, wordsOf } from "./twin/tables.ts";

/** As `src/data/kernel/assembly/byte-table.ts`, `counts.ts` and `number-table.ts` describe them. */
const HEADER_BYTES = 64;
const SLOT_BYTES = 32;
const NUMBER_SLOT_BYTES = 16;
const QUEUE_BYTES = 256 * 32 + 64;
const HOT_BYTES = 4096 * 32;
const COUNT = 24;
const MISSING = 0xffff_ffff;

const SLOTS = 16;
/** At most seven eighths of the slots are full. */
const SMALL: Limits = { keysMax: 14, arenaBytes: 256 };
const LARGE: Limits = { keysMax: 28, arenaBytes: 512 };

/** A table of byte strings in memory. */
function makeTable(bench: KernelBench, { keysMax, arenaBytes }: Limits): number {
  const slotCount = (keysMax / 7) * 8;
  const table = bench.take(HEADER_BYTES);
  const slots = bench.takeZeros(SLOT_BYTES * slotCount);
  const queue = bench.take(QUEUE_BYTES + HOT_BYTES);
  const arena = bench.take(arenaBytes);
  bench.kernel.tableInit(table, slots, slotCount, arena, arenaBytes, queue, 7);
  return table;
}

const idsOf = (bench: KernelBench, ids: number, count: number): (number | undefined)[] =>
  bench.u32s(ids, count).map((id) => (id === MISSING ? undefined : id));

const inOrder = (numbers: Table["numbers"]): Table["numbers"] =>
  numbers.toSorted(([left], [right]) => compareTexts(left, right));

const someKeys = fc.array(someKey, upTo(40));

describe("tables of byte strings", () => {
  /** All that a table holds. */
  const held = (bench: KernelBench, table: number): Table["numbers"] => {
    const size = bench.kernel.tableSize(table);
    // There is room for one more.
    const into = bench.takeEntries(size + 1);
    expect(bench.kernel.groupEntries(table, into)).toBe(size);
    return inOrder(bench.entries(into, size).map(({ key, payload }) => [key, payload]));
  };

  test("number keys until they are full, and continue in a larger table", () => {
    fc.assert(
      fc.property(someKeys, someKeys, (some, others) => {
        const keys = [...some, ...others];
        const texts = keys.map(latin1);
        onBench((bench) => {
          const cells = bench.putCells(keys);
          const ids = bench.take(4 * keys.length);
          const small = makeTable(bench, SMALL);
          const done = bench.kernel.groupKeys(small, cells, keys.length, ids);
          const twin = new Table(SMALL);
          const grouped = twin.group(texts);
          expect(bench.u32s(ids, done)).toEqual(grouped);
          expect(held(bench, small)).toEqual(inOrder(twin.numbers));

          const found = bench.take(4 * keys.length);
          bench.kernel.findKeys(small, cells, keys.length, found);
          expect(idsOf(bench, found, keys.length)).toEqual(texts.map((key) => twin.find(key)));

          const large = makeTable(bench, LARGE);
          bench.kernel.tableMove(small, large);
          expect(held(bench, large)).toEqual(inOrder(twin.numbers));
          const all = new Table(LARGE).group(texts);
          const more = bench.kernel.groupKeys(
            large,
            cells + 8 * done,
            keys.length - done,
            ids + 4 * done,
          );
          expect(bench.u32s(ids, done + more)).toEqual(all);
        });
      }),
      { numRuns: 200 },
    );
  });
});

describe("tables of counts", () => {
  const word = fc.oneof(
    fc.constantFrom("the", "x".repeat(30), "abcdefghabcdefgh"),
    fc.base64String(),
  );
  /** More than are looked up together, some of them. */
  const words = fc
    .tuple(
      fc.oneof(
        textOf("ab  \n", 400),
        fc.array(word, upTo(60)).map((some) => some.join(" ")),
      ),
      fc.constantFrom(1, 1, 9),
    )
    .map(([some, times]) => `${some} `.repeat(times));

  /** All that a table holds. */
  const held = (bench: KernelBench, table: number): Table["numbers"] => {
    const size = bench.kernel.tableSize(table);
    const into = bench.takeEntries(size + 1);
    expect(bench.kernel.countsEntries(table, into)).toBe(size);
    return inOrder(
      bench
        .entries(into, size)
        .map(({ key, payload }) => [key, Number(bench.u64(payload + COUNT))]),
    );
  };

  /** The start of the first uncounted word, or the text's end. */
  const stopOf = (words: readonly Word[], counted: number, end: number): number =>
    words[counted]?.at ?? end;

  test("count words until they are full, and continue in a larger table with the hot words", () => {
    fc.assert(
      fc.property(words, words, (first, second) => {
        const text = `${first} ${second}`;
        const all = wordsOf(text);
        const texts = all.map((word) => word.text);
        onBench((bench) => {
          const { at, end } = bench.put(Buffer.from(text, "latin1"));
          const small = makeTable(bench, SMALL);
          bench.kernel.countsInit(small);
          const twin = new Table(SMALL);
          const counted = twin.count(texts);
          const stop = bench.kernel.countWords(small, at, end);
          expect(stop - at).toBe(stopOf(all, counted, text.length));

          const large = makeTable(bench, LARGE);
          bench.kernel.countsMove(small, large);
          const whole = new Table(LARGE);
          const more = whole.count(texts);
          const then = bench.kernel.countWords(large, stop, end);
          expect(then - at).toBe(stopOf(all, more, text.length));
          // Reading the content first adds the counts of hot words.
          expect(held(bench, large)).toEqual(inOrder(whole.numbers));
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe("tables of numbers", () => {
  const number = fc.oneof(fc.double(), fc.integer({ min: -5, max: 5 }), fc.constant(-0));
  const someNumbers = fc.array(number, upTo(40));
  /** At most half of the slots are full. */
  const keysMax = SLOTS / 2;

  const makeNumbers = (bench: KernelBench, slotCount: number): number => {
    const table = bench.take(HEADER_BYTES);
    const slots = bench.takeZeros(NUMBER_SLOT_BYTES * slotCount);
    bench.kernel.numbersInit(table, slots, slotCount);
    return table;
  };

  const held = (bench: KernelBench, table: number): Table["numbers"] => {
    const size = bench.kernel.numbersSize(table);
    const into = bench.takeEntries(size + 1);
    expect(bench.kernel.numberEntries(table, into)).toBe(size);
    const entries = bench.numberEntries(into, size);
    return inOrder(entries.map(({ number, payload }) => [nameOf(number), payload]));
  };

  /** The identity of numbers: there is one NaN, and two zeros. */
  const nameOf = (number: number): string => String(numberKey(number));

  test("number them until they are full, and continue in a larger table", () => {
    fc.assert(
      fc.property(someNumbers, someNumbers, (some, others) => {
        const numbers = [...some, ...others];
        const names = numbers.map(nameOf);
        onBench((bench) => {
          const keys = bench.putNumberKeys(numbers);
          const ids = bench.take(4 * numbers.length);
          const small = makeNumbers(bench, SLOTS);
          const done = bench.kernel.groupNumbers(small, keys, numbers.length, ids);
          const twin = new Table({ keysMax, arenaBytes: Number.POSITIVE_INFINITY });
          const grouped = twin.group(names);
          expect(bench.u32s(ids, done)).toEqual(grouped);
          expect(held(bench, small)).toEqual(inOrder(twin.numbers));

          const found = bench.take(4 * numbers.length);
          bench.kernel.findNumbers(small, keys, numbers.length, found);
          expect(idsOf(bench, found, numbers.length)).toEqual(names.map((key) => twin.find(key)));

          const large = makeNumbers(bench, 8 * SLOTS);
          bench.kernel.numbersMove(small, large);
          expect(held(bench, large)).toEqual(inOrder(twin.numbers));
          const rest = numbers.length - done;
          const more = bench.kernel.groupNumbers(large, keys + 8 * done, rest, ids + 4 * done);
          const all = new Table({ keysMax: 8 * keysMax, arenaBytes: Number.POSITIVE_INFINITY });
          expect(bench.u32s(ids, done + more)).toEqual(all.group(names));
        });
      }),
      { numRuns: 200 },
    );
  });

  test("tell numbers apart only by their keys", () => {
    expect(keyedNumber(numberKey(-0))).toBe(-0);
    expect(nameOf(0)).not.toBe(nameOf(-0));
  });
});
