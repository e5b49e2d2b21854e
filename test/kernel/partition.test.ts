import fc from "fast-check";
import { expect, test } from "vitest";
import { ENTRY_BYTES } from "../../src/data/kernel/kernel.ts";
import { encodeKey, hashKey } from "../../src/job/index.ts";
import { inKernel, someKey } from "./bench.ts";

/** Text whose UTF-8 is the key's bytes wherever they are ASCII. */
const someText = fc.string({
  unit: fc.integer({ min: 0, max: 0x7f }).map((c) => String.fromCharCode(c)),
  maxLength: 40,
});

test("a plain string's partition is that of the key", () => {
  fc.assert(
    fc.property(
      fc.array(someText, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 999 }),
      (texts, partitions) => {
        const found = inKernel((bench) => {
          const entries = bench.putEntries(texts.map((text) => Buffer.from(text)));
          bench.kernel.partitionStrings(entries, texts.length, partitions);
          return bench.entries(entries, texts.length).map(({ partition }) => partition);
        });
        expect(found).toEqual(texts.map((text) => hashKey(text) % partitions));
      },
    ),
  );
});

test("so is that of an encoded key", () => {
  const key = fc.oneof(fc.string(), fc.double(), fc.bigInt(), fc.boolean());
  fc.assert(
    fc.property(fc.array(key, { maxLength: 20 }), (keys) => {
      const found = inKernel((bench) => {
        const entries = bench.putEntries(keys.map(encodeKey));
        bench.kernel.partitionKeys(entries, keys.length, 97);
        return bench.entries(entries, keys.length).map(({ partition }) => partition);
      });
      expect(found).toEqual(keys.map((one) => hashKey(one) % 97));
    }),
  );
});

test("and that of a number", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.double(), fc.integer()), { maxLength: 20 }), (numbers) => {
      const found = inKernel((bench) => {
        const keys = bench.putF64(numbers);
        bench.kernel.numberKeys(keys, numbers.length);
        const entries = bench.take(ENTRY_BYTES * numbers.length);
        numbers.forEach((_, i) => {
          const key = bench.memory.view.getBigUint64(keys + 8 * i, true);
          bench.memory.view.setBigUint64(entries + i * ENTRY_BYTES, key, true);
        });
        bench.kernel.partitionNumbers(entries, numbers.length, 97);
        return numbers.map((_, i) => bench.u32(entries + i * ENTRY_BYTES + 20));
      });
      expect(found).toEqual(numbers.map((one) => hashKey(one) % 97));
    }),
  );
});

test("a splitter's place among sorted entries is found", () => {
  fc.assert(
    fc.property(fc.array(someKey, { maxLength: 30 }), someKey, (keys, splitter) => {
      const inOrder = keys.toSorted(Buffer.compare);
      const below = inKernel((bench) => {
        const entries = bench.putEntries(inOrder);
        const { at, end } = bench.put(splitter);
        return bench.kernel.lowerBound(entries, inOrder.length, at, end - at);
      });
      expect(below).toBe(inOrder.filter((key) => Buffer.compare(key, splitter) < 0).length);
    }),
  );
});
