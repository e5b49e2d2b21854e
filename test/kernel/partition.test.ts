import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeKey, hashKey, type Key } from "../../src/job/index.ts";
import { someKey, someText, upTo } from "./any.ts";
import { type KernelBench, latin1, onBench } from "./bench.ts";
import { compareTexts, countBelow } from "./twin/order.ts";

const partitions = fc.integer({ min: 1, max: 999 });

/** The partitions from a kernel, which must equal those of the plain keys. */
function expectHashes(
  keys: readonly Key[],
  partitions: number,
  part: (bench: KernelBench) => number,
): void {
  const found = onBench((bench) => bench.partitions(part(bench), keys.length));
  expect(found).toEqual(keys.map((key) => hashKey(key) % partitions));
}

test("a plain string has its key's partition", () => {
  fc.assert(
    fc.property(fc.array(someText, upTo(20)), partitions, (texts, partitions) => {
      expectHashes(texts, partitions, (bench) => {
        const entries = bench.putEntries(texts.map((text) => Buffer.from(text)));
        bench.kernel.partitionStrings(entries, texts.length, partitions);
        return entries;
      });
    }),
    { numRuns: 200 },
  );
});

test("an encoded key has its key's partition", () => {
  const key = fc.oneof(someText, fc.double(), fc.boolean(), fc.tuple(someText, fc.integer()));
  fc.assert(
    fc.property(fc.array(key, upTo(20)), partitions, (keys, partitions) => {
      expectHashes(keys, partitions, (bench) => {
        const entries = bench.putEntries(keys.map(encodeKey));
        bench.kernel.partitionKeys(entries, keys.length, partitions);
        return entries;
      });
    }),
  );
});

test("a number has its key's partition", () => {
  const number = fc.oneof(fc.double(), fc.integer());
  fc.assert(
    fc.property(fc.array(number, upTo(20)), partitions, (numbers, partitions) => {
      expectHashes(numbers, partitions, (bench) => {
        const entries = bench.putNumberEntries(numbers);
        bench.kernel.partitionNumbers(entries, numbers.length, partitions);
        return entries;
      });
    }),
  );
});

test("a splitter's place among sorted entries is found", () => {
  fc.assert(
    fc.property(fc.array(someKey, upTo(30)), someKey, (keys, splitter) => {
      const inOrder = keys.toSorted((left, right) => compareTexts(latin1(left), latin1(right)));
      for (const wanted of [splitter, ...inOrder.slice(0, 2)]) {
        const below = onBench((bench) => {
          const entries = bench.putEntries(inOrder);
          const { at, end } = bench.put(wanted);
          return bench.kernel.lowerBound(entries, inOrder.length, at, end - at);
        });
        expect(below).toBe(countBelow(inOrder.map(latin1), latin1(wanted)));
      }
    }),
  );
});
