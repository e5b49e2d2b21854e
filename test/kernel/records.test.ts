import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readValue } from "../../src/data/bytes/value-bytes.ts";
import { KEYS, VALUES } from "../../src/data/kernel/kernel.ts";
import { encodeKey, type Key } from "../../src/job/index.ts";
import { someKey, someText, upTo } from "./any.ts";
import { type KernelBench, latin1, numberKey, onBench } from "./bench.ts";
import { encodeRecord, encodeValue, lineOf, type Pair, sumValue } from "./twin/records.ts";

/** Besides its output, `putRecords` needs room for two sizes and for overrun of copying. */
const SLACK_BYTES = 10 + 16;
/** Besides a key's bytes, `putText` needs room for a value and for overrun of copying. */
const LINE_BYTES = 48 + 16;

/** The forms in which entries are put, as kernels' arguments. */
interface Put {
  readonly entries: number;
  readonly count: number;
  readonly keys: keyof typeof KEYS;
  readonly values: keyof typeof VALUES;
  readonly base?: number;
  readonly stride?: number;
}

interface Turn {
  readonly count: number;
  readonly text: string;
  /** The next entry cannot be written as text. */
  readonly isOdd: boolean;
}

/** Puts entries from the given one on, into `room` bytes. */
function turnFrom(
  bench: KernelBench,
  by: "putRecords" | "putText",
  from: number,
  { put, room }: { put: Put; room: number },
): Turn {
  const { entries, count, base = 0, stride = 0 } = put;
  const [keys, values] = [KEYS[put.keys], VALUES[put.values]];
  const out = bench.take(room);
  const { kernel, result } = bench;
  const at = bench.entryAt(entries, from);
  const done = kernel[by](at, count - from, keys, values, base, stride, out, out + room, result);
  const text = bench.text(out, bench.u32(result));
  return { count: done, text, isOdd: by === "putText" && bench.u32(result + 4) === 1 };
}

/** All records, turn by turn: a turn ends before a record that does not fit. */
function expectRecords(bench: KernelBench, put: Put, { pairs, room }: Records): void {
  const records = pairs.map((pair) => latin1(encodeRecord(pair)));
  for (let done = 0; done < records.length; ) {
    const { count, text } = turnFrom(bench, "putRecords", done, { put, room });
    expect(text).toBe(records.slice(done, done + count).join(""));
    const next = records[done + count] ?? "";
    const isFull = text.length + next.length + SLACK_BYTES > room;
    expect(next === "" || isFull, "there was room for the next").toBe(true);
    expect(count).toBeGreaterThan(0);
    done += count;
  }
}

interface Records {
  readonly pairs: readonly Pair[];
  readonly room: number;
}

interface Line {
  /** Undefined if the kernel cannot write the line. */
  readonly text: string | undefined;
  /** As the key stands in memory. */
  readonly keyBytes: number;
}

/** All lines, turn by turn: a turn ends before a line that does not fit or is skipped. */
function expectLines(
  bench: KernelBench,
  put: Put,
  { lines, room }: { lines: readonly Line[]; room: number },
): void {
  for (let done = 0; done < lines.length; ) {
    const { count, text, isOdd } = turnFrom(bench, "putText", done, { put, room });
    const written = lines.slice(done, done + count).map((line) => line.text);
    expect(written).not.toContain(undefined);
    expect(text).toBe(written.join(""));
    done += count;
    const next = lines[done];
    const isFull = next !== undefined && text.length + next.keyBytes + LINE_BYTES > room;
    expect(isOdd).toBe(next !== undefined && !isFull);
    if (isOdd) expect(next?.text).toBeUndefined();
    expect(isOdd || count > 0).toBe(true);
    if (isOdd) done++;
  }
}

/** Room for a few records of the lengths that occur here. */
const room = fc.integer({ min: 220, max: 500 });
const count = fc.oneof(fc.nat(300), fc.maxSafeInteger().map(Math.abs));
const number = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.constant(-0));
const finite = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const group = fc.record({
  key: number,
  text: someText,
  high: finite,
  low: fc.constantFrom(0, 2 ** -60),
  count,
  extreme: number,
});
type Group = typeof group extends fc.Arbitrary<infer T> ? T : never;
const groups = fc.array(group, upTo(12));

const KINDS = ["slot", "count", "sum", "mean", "least", "greatest"] as const;
type KindOfValue = (typeof KINDS)[number];
const kindOfValue = fc.constantFrom(...KINDS);

/** The value of a group's accumulator. */
const valueIn = (kind: KindOfValue, { high, low, count, extreme }: Group): unknown =>
  ({
    slot: count,
    count,
    sum: sumValue(high, low),
    mean: [sumValue(high, low), count],
    least: extreme,
    greatest: extreme,
  })[kind];

/** Accumulators of groups, each with the width of a mean's, and entries that refer to them. */
function putGroups(
  bench: KernelBench,
  groups: readonly Group[],
  { keys, values }: { readonly keys: "plain" | "number"; readonly values: KindOfValue },
): Put {
  const stride = 24;
  const entries =
    keys === "number"
      ? bench.putNumberEntries(groups.map(({ key }) => key))
      : bench.putEntries(groups.map(({ text }) => Buffer.from(text)));
  const base = bench.takeZeros(stride * groups.length);
  const slots = bench.takeZeros(32 * groups.length);
  const { view } = bench.memory;
  groups.forEach(({ high, low, count, extreme }, i) => {
    const at = base + stride * i;
    if (values === "count") view.setBigUint64(at, BigInt(count), true);
    else if (values === "least" || values === "greatest") {
      view.setBigUint64(at, numberKey(extreme), true);
      view.setBigUint64(at + 8, 1n, true);
    } else {
      view.setFloat64(at, high, true);
      view.setFloat64(at + 8, low, true);
      view.setBigUint64(at + 16, BigInt(count), true);
    }
    view.setBigUint64(slots + 32 * i + 24, BigInt(count), true);
    if (values === "slot") bench.setPayload(entries, i, slots + 32 * i);
  });
  return { entries, count: groups.length, keys, values, base, stride };
}

/** Entries of contiguous records; keys begin after `skip` bytes. */
function putPairs(bench: KernelBench, pairs: readonly Pair[], skip: number): number {
  const { at, end } = bench.put(Buffer.concat(pairs.map(encodeRecord)));
  const entries = bench.takeEntries(pairs.length);
  const { kernel, result } = bench;
  // As many as fit, and then the others.
  const first = Math.floor(pairs.length / 2);
  expect(kernel.recordEntries(at, end, skip, entries, first, result)).toBe(first);
  const middle = bench.u32(result);
  expect(middle - at).toBe(Buffer.concat(pairs.slice(0, first).map(encodeRecord)).length);
  const rest = bench.entryAt(entries, first);
  const left = pairs.length - first;
  expect(kernel.recordEntries(middle, end, skip, rest, left, result)).toBe(left);
  expect(bench.u32(result)).toBe(end);
  return entries;
}

describe("records are put", () => {
  const how = fc.record({
    keys: fc.constantFrom("plain" as const, "number" as const),
    values: kindOfValue,
  });

  test("of plain strings or numbers, and accumulators of each kind", () => {
    fc.assert(
      fc.property(groups, how, room, (groups, how, room) => {
        const pairs = groups.map(
          (group): Pair => [
            how.keys === "number" ? group.key : group.text,
            valueIn(how.values, group),
          ],
        );
        onBench((bench) => expectRecords(bench, putGroups(bench, groups, how), { pairs, room }));
      }),
      { numRuns: 300 },
    );
  });

  test("of encoded keys and one value", () => {
    const key = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.tuple(someText, fc.nat()));
    const value = { a: [1, "b"] };
    fc.assert(
      fc.property(fc.array(key, upTo(12)), room, (keys, room) => {
        onBench((bench) => {
          const entries = bench.putEntries(keys.map(encodeKey));
          const { at, end } = bench.put(encodeValue(value));
          const place = { base: at, stride: end - at };
          const put = { entries, count: keys.length, ...place } as const;
          const pairs = keys.map((key): Pair => [key, value]);
          expectRecords(bench, { ...put, keys: "encoded", values: "constant" }, { pairs, room });
        });
      }),
    );
  });

  test("up to the end of a partition", () => {
    const partitions = fc.array(fc.nat(2), { minLength: 1, ...upTo(9) });
    fc.assert(
      fc.property(partitions, (partitions) => {
        const { count, text } = onBench((bench) => {
          const keys = partitions.map((_, i) => Buffer.from(`key ${i}`));
          const entries = bench.putEntries(keys, partitions);
          const { at, end } = bench.put(encodeValue(1));
          const place = { base: at, stride: end - at, count: keys.length };
          const put = { entries, ...place, keys: "plain", values: "constant" } as const;
          return turnFrom(bench, "putRecords", 0, { put, room: 999 });
        });
        const other = partitions.findIndex((one) => one !== partitions[0]);
        expect(count).toBe(other < 0 ? partitions.length : other);
        const pairs = partitions.slice(0, count).map((_, i): Pair => [`key ${i}`, 1]);
        expect(text).toBe(pairs.map((pair) => latin1(encodeRecord(pair))).join(""));
      }),
    );
  });
});

describe("records are read", () => {
  const key: fc.Arbitrary<Key> = fc.oneof(someText, fc.double(), fc.integer({ min: -3, max: 3 }));
  const longText = fc.string({ minLength: 100, ...upTo(170), unit: fc.constantFrom("a", "\0") });
  const value = fc.oneof(fc.string(upTo(20)), fc.integer(), longText);
  const pairs = fc.array(fc.tuple(key, value), upTo(12));

  test("as entries, and are written back unchanged", () => {
    fc.assert(
      fc.property(pairs, fc.integer({ min: 400, max: 900 }), fc.nat(1), (pairs, room, skip) => {
        onBench((bench) => {
          const entries = putPairs(bench, pairs, skip);
          const keys = bench.entries(entries, pairs.length).map((entry) => entry.key);
          expect(keys).toEqual(pairs.map(([key]) => latin1(encodeKey(key).subarray(skip))));
          const put = { entries, count: pairs.length, keys: "record", values: "record" } as const;
          expectRecords(bench, put, { pairs, room });
        });
      }),
    );
  });

  test("as keys, and places of values", () => {
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 5 }), (pairs, room) => {
        onBench((bench) => {
          const { at, end } = bench.put(Buffer.concat(pairs.map(encodeRecord)));
          const cells = bench.take(8 * room);
          const values = bench.take(4 * room);
          const { kernel, memory, result } = bench;
          const read: [string, unknown][] = [];
          for (let place = at; place < end; place = bench.u32(result)) {
            const count = kernel.recordCells(place, end, cells, values, room, result);
            expect(count).toBe(Math.min(room, pairs.length - read.length));
            for (const [i, at] of bench.u32s(values, count).entries()) {
              read.push([bench.cell(cells, i), readValue({ bytes: memory.bytes, at, end })]);
            }
          }
          expect(read).toEqual(pairs.map(([key, value]) => [latin1(encodeKey(key)), value]));
        });
      }),
    );
  });
});

describe("lines of text are put", () => {
  const roomForLines = fc.integer({ min: 220, max: 500 });

  test("of keys as they are encoded, and numbers", () => {
    const pair = fc.tuple(
      fc.oneof(someText, fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(-0, 2 ** 53)),
      fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double(), fc.string()),
    );
    const values = fc.constantFrom("record" as const, "none" as const);
    fc.assert(
      fc.property(fc.array(pair, upTo(12)), values, roomForLines, (pairs, values, room) => {
        onBench((bench) => {
          const entries = putPairs(bench, pairs, 0);
          const put = { entries, count: pairs.length, keys: "record", values } as const;
          const lines = pairs.map(([key, value]) => ({
            text: asBytes(values === "none" ? lineOf(key) : lineOf(key, value)),
            keyBytes: encodeKey(key).length,
          }));
          expectLines(bench, put, { lines, room });
        });
      }),
      { numRuns: 300 },
    );
  });

  test("of plain keys or numbers, and accumulators of each kind", () => {
    const keys = fc.constantFrom("plain" as const, "number" as const);
    const whole = fc.record({ key: fc.integer(), text: fc.constant("k"), extreme: fc.integer() });
    const somewhat = fc.tuple(group, fc.boolean(), whole, fc.integer()).map(
      // The kernel leaves numbers that are not whole, so half of the groups have none.
      ([one, isWhole, its, high]) =>
        isWhole ? { ...one, ...its, high: high * one.count, low: 0 } : one,
    );
    const some = fc.array(somewhat, upTo(12));
    fc.assert(
      fc.property(some, keys, kindOfValue, roomForLines, (groups, keys, values, room) => {
        onBench((bench) => {
          const put = putGroups(bench, groups, { keys, values });
          const lines = groups.map((group) => {
            const { count, high } = group;
            const value = values === "mean" ? high / count : valueIn(values, group);
            const said = values === "sum" ? high : value;
            // A plain key is written as it is.
            const line = lineOf(keys === "plain" ? "" : group.key, said);
            const isPlain = keys === "plain";
            const text = isPlain && line !== undefined ? group.text + line : line;
            const keyBytes = isPlain ? Buffer.byteLength(group.text) : 8;
            return { text: asBytes(text), keyBytes };
          });
          expectLines(bench, put, { lines, room });
        });
      }),
      { numRuns: 300 },
    );
  });

  test("of keys of any bytes, and sums", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(someKey, fc.maxSafeInteger()), upTo(12)),
        room,
        (pairs, room) => {
          onBench((bench) => {
            const entries = bench.putEntries(pairs.map(([key]) => key));
            const base = bench.putF64(pairs.flatMap(([, value]) => [value, 0]));
            const place = { base, stride: 16, count: pairs.length };
            const put = { entries, ...place, keys: "plain", values: "sum" } as const;
            const lines = pairs.map(([key, value]) => ({
              text: `${latin1(key)}\t${value}\n`,
              keyBytes: key.length,
            }));
            expectLines(bench, put, { lines, room });
          });
        },
      ),
    );
  });

  /** Text as its bytes. */
  const asBytes = (line: string | undefined): string | undefined =>
    line === undefined ? undefined : latin1(Buffer.from(line));
});
