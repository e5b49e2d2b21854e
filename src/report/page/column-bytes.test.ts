import fc from "fast-check";
import { expect, test } from "vitest";
import { columnBytes, columnFrom } from "./column-bytes.ts";

const value = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.maxSafeInteger().map((one) => Math.trunc(one / 8) + 0),
  fc.constant(Number.NaN),
);

test("whole numbers and unknown numbers survive a round trip", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), (values) => {
      expect([...columnFrom(columnBytes(values), values.length)]).toEqual(values);
    }),
  );
});

test("rising times take a byte or two each", () => {
  const times = Array.from({ length: 1_000 }, (_, n) => 1_700_000_000_000 + 40 * n);
  expect(columnBytes(times).length).toBeLessThan(2_100);
});

test.each([
  ["too few", 4, "expected 4 values, found 3"],
  ["too many", 2, "expected 2 values, found more"],
])("bytes that hold %s are refused", (_, count, message) => {
  expect(() => columnFrom(columnBytes([1, 2, 3]), count)).toThrow(message);
});
