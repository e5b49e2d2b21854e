import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnBytes, columnFrom } from "./column-bytes.ts";

const unknown = fc.constant(Number.NaN);
const whole = fc.integer({ min: -1_000, max: 1_000 });
const large = fc.maxSafeInteger();
/** Thousandths, and millionths, as logs write seconds. */
const decimal = fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 1e6);
const any = fc.double();

describe("a column survives a round trip to the last bit", () => {
  test.each([
    ["whole numbers", whole],
    ["large numbers", large],
    ["decimals", decimal],
    ["decimals among whole numbers", fc.oneof(whole, decimal)],
    ["any numbers, infinite ones and -0 too", fc.oneof(any, whole, fc.constant(-0))],
  ])("%s", (_, value) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, unknown), { maxLength: 60 }), (values) => {
        const { length } = values;
        const doubles = Float64Array.from(values);
        expect(columnFrom(columnBytes(doubles), new Float64Array(length))).toEqual(doubles);
        const floats = Float32Array.from(values);
        expect(columnFrom(columnBytes(floats), new Float32Array(length))).toEqual(floats);
      }),
    );
  });

  test("cells of fewer bits", () => {
    const codes = Uint8Array.of(0, 255, 3);
    expect(columnFrom(columnBytes(codes), new Uint8Array(3))).toEqual(codes);
    const indexes = Int32Array.of(-1, 2 ** 31 - 1, 0, -(2 ** 31));
    expect(columnFrom(columnBytes(indexes), new Int32Array(4))).toEqual(indexes);
  });
});

test.each([1, 1e3, 1e6])("rising times take a byte or two each, in steps of 1/%d ms", (scale) => {
  const times = Float64Array.from({ length: 1_000 }, (_, n) => (1_700_000_000 + 40 * n) / scale);
  expect(columnBytes(times).length).toBeLessThan(2_100);
});

test.each([
  ["too few", [1, 2, 3], 4, "expected 4 values, found others"],
  ["too many", [1, 2, 3], 2, "expected 2 values, found others"],
  ["too few of any kind", [Math.PI, 2, 3], 4, "expected 4 values, found others"],
  ["too many of any kind", [Math.PI, 2, 3], 2, "expected 2 values, found others"],
])("bytes that hold %s are refused", (_, values, count, message) => {
  const bytes = columnBytes(Float64Array.from(values));
  expect(() => columnFrom(bytes, new Float64Array(count))).toThrow(message);
});
