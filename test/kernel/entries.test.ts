import fc from "fast-check";
import { expect, test } from "vitest";
import { someKey, upTo } from "./any.ts";
import { type Entry, latin1, onBench } from "./bench.ts";
import { parted, sorted } from "./twin/order.ts";

interface Parted {
  readonly key: Uint8Array;
  readonly partition: number;
}

/** Entries in a kernel's order; the payload of each is its number. */
const ordered = (by: "sortEntries" | "partEntries", keys: readonly Parted[]): Entry[] =>
  onBench((bench) => {
    const entries = bench.putEntries(
      keys.map(({ key }) => key),
      keys.map(({ partition }) => partition),
    );
    const scratch = bench.takeEntries(keys.length);
    const at = bench.kernel[by](entries, keys.length, scratch, bench.take(256 * 4));
    expect([entries, scratch]).toContain(at);
    return bench.entries(at, keys.length, by === "partEntries" ? "first bytes" : "any");
  });

const entriesOf = (keys: readonly Parted[]): Entry[] =>
  keys.map(({ key, partition }, payload) => ({ key: latin1(key), payload, partition }));

const someKeys = fc.array(
  fc.record({ key: someKey, partition: fc.oneof(fc.nat(3), fc.nat(65_535)) }),
  upTo(120),
);

test("entries are sorted by partition, then key, and equal ones keep their order", () => {
  fc.assert(
    fc.property(someKeys, (keys) => {
      expect(ordered("sortEntries", keys)).toEqual(sorted(entriesOf(keys)));
    }),
    { numRuns: 200 },
  );
});

test("entries are partitioned, and keep their order there whatever their keys", () => {
  fc.assert(
    fc.property(someKeys, (keys) => {
      expect(ordered("partEntries", keys)).toEqual(parted(entriesOf(keys)));
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
  const keys = Array.from({ length: 2000 }, (_, i) => ({
    key: Uint8Array.from(Buffer.from(keyOf(i))),
    partition: 0,
  }));
  expect(ordered("sortEntries", keys)).toEqual(sorted(entriesOf(keys)));
  const apart = keys.map(({ key }, i) => ({ key, partition: (i * 7) % 3 }));
  expect(ordered("sortEntries", apart)).toEqual(sorted(entriesOf(apart)));
});
