import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readValue, writeValue } from "../../src/data/bytes/value-bytes.ts";
import { KEYS, VALUES } from "../../src/data/kernel/kernel.ts";
import { ByteWriter } from "../../src/job/byte-writer.ts";
import {
  addExactly,
  type ExactSum,
  encodeKey,
  type Key,
  roundExactly,
} from "../../src/job/index.ts";
import { inKernel, type KernelBench, someKey } from "./bench.ts";

/** Text of ASCII, zeros among it: its bytes are its characters. */
const someText = fc
  .array(fc.oneof(fc.constantFrom(0, 0x61), fc.nat(0x7f)), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

const asText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

function encodeValue(value: unknown): Uint8Array {
  const writer = new ByteWriter();
  writeValue(writer, value);
  return writer.view().slice();
}

/** Records as run files have them; keys and values of less than 128 bytes. */
const recordsOf = (pairs: readonly (readonly [Key, unknown])[]): Uint8Array =>
  Buffer.concat(
    pairs.flatMap(([key, value]) => {
      const [keyBytes, valueBytes] = [encodeKey(key), encodeValue(value)];
      return [Uint8Array.of(keyBytes.length, valueBytes.length), keyBytes, valueBytes];
    }),
  );

/** All that is put, a few at a time since there is little room; and what was left out. */
function putAll(
  bench: KernelBench,
  put: "putRecords" | "putText",
  entries: number,
  count: number,
  {
    keys,
    values,
    base = 0,
    stride = 0,
  }: { keys: number; values: number; base?: number; stride?: number },
): { text: string; odd: number[] } {
  const room = 300;
  const out = bench.take(room + 32);
  const guard = out + room;
  bench.memory.bytes.fill(0x77, guard, guard + 32);
  const odd: number[] = [];
  let text = "";
  for (let done = 0; done < count; ) {
    const at = entries + 24 * done;
    const { kernel, result } = bench;
    done += kernel[put](at, count - done, keys, values, base, stride, out, guard, result);
    text += bench.text(out, bench.u32(result));
    if (put === "putText" && bench.u32(result + 4) === 1) odd.push(done++);
  }
  expect(bench.text(guard, guard + 32)).toBe("w".repeat(32));
  return { text, odd };
}

describe("records are put", () => {
  const count = fc.oneof(fc.nat(300), fc.maxSafeInteger().map(Math.abs));

  test("of plain strings and counts", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(someText, count), { maxLength: 12 }), (pairs) => {
        const { text } = inKernel((bench) => {
          const entries = bench.putEntries(pairs.map(([key]) => Buffer.from(key)));
          const base = bench.take(8 * pairs.length);
          pairs.forEach(([, n], i) => {
            bench.memory.view.setBigUint64(base + 8 * i, BigInt(n), true);
          });
          const how = { keys: KEYS.plain, values: VALUES.count, base, stride: 8 };
          return putAll(bench, "putRecords", entries, pairs.length, how);
        });
        expect(text).toBe(asText(recordsOf(pairs)));
      }),
    );
  });

  test("of numbers and exact sums, means, least ones", () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger());
    const finite = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const group = fc.tuple(number, finite, fc.constantFrom(0, 2 ** -60), fc.nat(1000));
    const kind = fc.constantFrom(VALUES.sum, VALUES.mean, VALUES.least);
    fc.assert(
      fc.property(fc.array(group, { maxLength: 10 }), kind, (groups, values) => {
        const { text } = inKernel((bench) => {
          const { view } = bench.memory;
          const keys = bench.putF64(groups.map(([key]) => key));
          bench.kernel.numberKeys(keys, groups.length);
          const entries = bench.putEntries(groups.map(() => Buffer.alloc(8)));
          const base = bench.take(24 * groups.length);
          groups.forEach(([, high, low, n], i) => {
            view.setBigUint64(entries + 24 * i, view.getBigUint64(keys + 8 * i, true), true);
            view.setFloat64(base + 24 * i, high, true);
            view.setFloat64(base + 24 * i + 8, low, true);
            view.setBigUint64(base + 24 * i + 16, BigInt(n), true);
            if (values === VALUES.least) bench.kernel.numberKeys(base + 24 * i, 1);
          });
          const how = { keys: KEYS.number, values, base, stride: 24 };
          return putAll(bench, "putRecords", entries, groups.length, how);
        });
        const expected = groups.map(([key, high, low, n]) => {
          const sum = low === 0 ? high : [low, high];
          return [
            key,
            values === VALUES.mean ? [sum, n] : values === VALUES.sum ? sum : high,
          ] as const;
        });
        expect(text).toBe(asText(recordsOf(expected)));
      }),
    );
  });

  test("of encoded keys and one value", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.double(), fc.boolean())), (keys) => {
        const value = encodeValue({ a: [1, "b"] });
        const { text } = inKernel((bench) => {
          const entries = bench.putEntries(keys.map(encodeKey));
          const { at } = bench.put(value);
          const how = {
            keys: KEYS.encoded,
            values: VALUES.constant,
            base: at,
            stride: value.length,
          };
          return putAll(bench, "putRecords", entries, keys.length, how);
        });
        expect(text).toBe(asText(recordsOf(keys.map((key) => [key, { a: [1, "b"] }]))));
      }),
    );
  });

  test("as long as they are of one partition", () => {
    const put = inKernel((bench) => {
      const entries = bench.putEntries(
        [Buffer.from("a"), Buffer.from("b"), Buffer.from("c")],
        [4, 4, 5],
      );
      const out = bench.take(999);
      const { kernel, result } = bench;
      return kernel.putRecords(
        entries,
        3,
        KEYS.plain,
        VALUES.constant,
        out,
        0,
        out,
        out + 999,
        result,
      );
    });
    expect(put).toBe(2);
  });
});

/** Entries of so many records, the numbers of their keys, which are in order, and their values. */
function mergeable(
  bench: KernelBench,
  { at, end }: { readonly at: number; readonly end: number },
  count: number,
): { entries: number; ids: number; values: number } {
  const { kernel, result } = bench;
  const entries = bench.take(24 * count);
  const ids = bench.take(4 * count);
  const values = bench.take(4 * count);
  kernel.recordEntries(at, end, 0, entries, count, result);
  kernel.equalKeys(entries, count, ids, values);
  return { entries, ids, values };
}

describe("records are read", () => {
  const key = fc.oneof(someText, fc.double(), fc.integer({ min: -3, max: 3 }));
  const pairs = fc.array(fc.tuple(key, fc.oneof(fc.string({ maxLength: 20 }), fc.integer())), {
    maxLength: 12,
  });

  test("as entries, and are put as they were", () => {
    fc.assert(
      fc.property(pairs, (pairs) => {
        const records = recordsOf(pairs);
        const { text, keys } = inKernel((bench) => {
          const { at, end } = bench.put(records);
          const entries = bench.take(24 * pairs.length + 24);
          const count = bench.kernel.recordEntries(at, end, 1, entries, pairs.length, bench.result);
          expect(bench.u32(bench.result)).toBe(end);
          const keys = bench.entries(entries, count).map((entry) => entry.key);
          const how = { keys: KEYS.record, values: VALUES.record };
          return { keys, text: putAll(bench, "putRecords", entries, count, how).text };
        });
        expect(text).toBe(asText(records));
        expect(keys).toEqual(pairs.map(([key]) => asText(encodeKey(key).subarray(1))));
      }),
    );
  });

  test("as keys, and places of values", () => {
    fc.assert(
      fc.property(pairs, (pairs) => {
        const read = inKernel((bench) => {
          const { at, end } = bench.put(recordsOf(pairs));
          const { entries, values } = mergeable(bench, { at, end }, pairs.length);
          const { bytes } = bench.memory;
          const keys = bench.entries(entries, pairs.length).map(({ key }) => key);
          const read = bench.u32s(values, pairs.length).map((at) => readValue({ bytes, at, end }));
          return { keys, read };
        });
        expect(read.keys).toEqual(pairs.map(([key]) => asText(encodeKey(key))));
        expect(read.read).toEqual(pairs.map(([, value]) => value));
      }),
    );
  });

  test("as accumulators that are merged", () => {
    const finite = fc.oneof(
      fc.integer(),
      fc.nat(999).map((x) => x / 10),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(finite, fc.boolean(), fc.nat(500)), { maxLength: 12 }),
        (parts) => {
          const means = parts.map(
            ([sum, isPair, n]) => ["k", [isPair ? [2 ** -40, sum] : sum, n]] as const,
          );
          const merged = inKernel((bench) => {
            const { at, end } = bench.put(recordsOf(means));
            const { ids, values } = mergeable(bench, { at, end }, parts.length);
            const base = bench.take(24);
            bench.memory.bytes.fill(0, base, base + 24);
            const { kernel, memory } = bench;
            const done = kernel.mergeValues(VALUES.mean, base, 24, ids, values, parts.length);
            const sum = [
              memory.view.getFloat64(base + 8, true),
              memory.view.getFloat64(base, true),
            ];
            return { done, sum, count: bench.u32(base + 16) };
          });
          expect(merged.done).toBe(parts.length);
          expect(merged.count).toBe(parts.reduce((so, [, , n]) => so + n, 0));
          const terms = parts.flatMap(([sum, isPair]) => (isPair ? [2 ** -40, sum] : [sum]));
          const expected = terms.reduce<ExactSum>(addExactly, 0);
          expect(roundExactly(merged.sum)).toBe(roundExactly(expected));
        },
      ),
    );
  });

  test("as counts, least and greatest values, until one is of another kind", () => {
    const values = [3, 300, 7, "odd", 9];
    const merged = (kind: number) =>
      inKernel((bench) => {
        const { at, end } = bench.put(recordsOf(values.map((value) => ["k", value])));
        const { ids, values: places } = mergeable(bench, { at, end }, values.length);
        const base = bench.putF64([0, 0, 0]);
        const { kernel, memory } = bench;
        const done = kernel.mergeValues(kind, base, 24, ids, places, values.length);
        return { done, found: memory.view.getBigUint64(base, true) };
      });
    const keyOf = (x: number): bigint => Buffer.from(encodeKey(x)).readBigUInt64BE(1);
    expect(merged(VALUES.count)).toEqual({ done: 3, found: 310n });
    expect(merged(VALUES.least)).toEqual({ done: 3, found: keyOf(3) });
    expect(merged(VALUES.greatest)).toEqual({ done: 3, found: keyOf(300) });
  });
});

describe("lines of text are put", () => {
  test("of keys as they are encoded, and numbers", () => {
    const pair = fc.tuple(
      fc.oneof(someText, fc.integer(), fc.double()),
      fc.oneof(fc.integer(), fc.double(), fc.string()),
    );
    fc.assert(
      fc.property(
        fc.array(pair, { maxLength: 12 }),
        fc.constantFrom(VALUES.record, VALUES.none),
        (pairs, values) => {
          const { text, odd } = inKernel((bench) => {
            const { at, end } = bench.put(recordsOf(pairs));
            const entries = bench.take(24 * pairs.length);
            const count = bench.kernel.recordEntries(at, end, 0, entries, 99, bench.result);
            return putAll(bench, "putText", entries, count, { keys: KEYS.record, values });
          });
          // What is refused, or escaped, is written by others.
          const marks = values === VALUES.none ? /\n/ : /[\t\n\r]/;
          const isText = (x: unknown): boolean =>
            typeof x === "number" && Number.isSafeInteger(x) && !Object.is(x, -0);
          const isLine = ([key, value]: readonly [unknown, unknown]): boolean =>
            (isText(key) || (typeof key === "string" && !marks.test(key))) &&
            (values === VALUES.none || isText(value));
          const lines = pairs
            .filter(isLine)
            .map((pair) => (values === VALUES.none ? pair[0] : pair.join("\t")));
          expect(text).toBe(lines.map((line) => `${line}\n`).join(""));
          expect(odd).toEqual(Array.from(pairs.keys()).filter((i) => !isLine(pairs[i] ?? [0, 0])));
        },
      ),
    );
  });

  test("of plain keys and accumulators", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(someKey, fc.maxSafeInteger()), { maxLength: 12 }), (pairs) => {
        const { text } = inKernel((bench) => {
          const entries = bench.putEntries(pairs.map(([key]) => key));
          const base = bench.putF64(pairs.flatMap(([, value]) => [value, 0]));
          const how = { keys: KEYS.plain, values: VALUES.sum, base, stride: 16 };
          return putAll(bench, "putText", entries, pairs.length, how);
        });
        expect(text).toBe(pairs.map(([key, value]) => `${asText(key)}\t${value}\n`).join(""));
      }),
    );
  });
});
