import fc from "fast-check";
import { expect, test } from "vitest";
import { COUNTS_BYTES, ENTRY_BYTES } from "../../src/data/kernel/kernel.ts";
import { inKernel, someKey } from "./bench.ts";

const compare = (left: Uint8Array, right: Uint8Array): number => Buffer.compare(left, right);

/** Numbers of the keys as they are sorted by the kernel and by its twin. */
const sorted = (
  keys: readonly Uint8Array[],
  partitions: readonly number[],
  by: "sortEntries" | "partEntries" = "sortEntries",
): number[] =>
  inKernel((bench) => {
    const entries = bench.putEntries(keys, partitions);
    const scratch = bench.take(ENTRY_BYTES * keys.length);
    const counts = bench.take(COUNTS_BYTES);
    const at = bench.kernel[by](entries, keys.length, scratch, counts);
    return bench.entries(at, keys.length).map(({ payload }) => payload);
  });

/** The same by what is known to be right. */
const sortedPlainly = (keys: readonly Uint8Array[], partitions: readonly number[]): number[] =>
  Array.from(keys.keys()).sort(
    (left, right) =>
      (partitions[left] ?? 0) - (partitions[right] ?? 0) ||
      compare(keys[left] ?? new Uint8Array(), keys[right] ?? new Uint8Array()) ||
      left - right,
  );

const somePartition = fc.oneof(fc.nat(3), fc.nat(65_535));

test("entries are sorted by partition, then key, equal ones staying in their order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(someKey, somePartition), { maxLength: 120 }), (pairs) => {
      const keys = pairs.map(([key]) => key);
      const partitions = pairs.map(([, partition]) => partition);
      expect(sorted(keys, partitions)).toEqual(sortedPlainly(keys, partitions));
    }),
  );
});

test("entries are parted, those of one partition staying in order whatever their keys", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(someKey, somePartition), { maxLength: 120 }), (pairs) => {
      const keys = pairs.map(([key]) => key);
      const partitions = pairs.map(([, partition]) => partition);
      const alike = keys.map(() => new Uint8Array());
      const parted = sorted(keys, partitions, "partEntries");
      expect(parted).toEqual(sortedPlainly(alike, partitions));
    }),
  );
});

test.each([
  ["differ in their first bytes", (i: number) => String((i * 7919) % 5000)],
  [
    "share many bytes",
    (i: number) => `${"x".repeat(i % 3)}http://www.example.org/${(i * 31) % 997}`,
  ],
  ["are nearly all the same", (i: number) => (i % 500 === 0 ? `the${i}` : "the")],
  ["are prefixes of each other, with zeros", (i: number) => "\0".repeat((i * 13) % 40)],
  ["share more than what is sorted by places", (i: number) => `${"y".repeat(600)}${(i * 31) % 97}`],
  ["are each longer than the one before", (i: number) => "z".repeat(i % 1000)],
])("many entries are sorted if their keys %s", (_, keyOf) => {
  const keys = Array.from({ length: 2000 }, (_, i) => Uint8Array.from(Buffer.from(keyOf(i))));
  expect(sorted(keys, [])).toEqual(sortedPlainly(keys, []));
});
