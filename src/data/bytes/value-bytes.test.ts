import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteWriter } from "../../job/byte-writer.ts";
import { readValue, readVarint, writeValue, writeVarint } from "./value-bytes.ts";

function bytesOf(value: unknown): Uint8Array {
  const writer = new ByteWriter(1);
  writeValue(writer, value);
  return writer.view();
}

function back(value: unknown): unknown {
  const bytes = bytesOf(value);
  const reader = { bytes, at: 0, end: bytes.length };
  const read = readValue(reader);
  expect(reader.at).toBe(bytes.length);
  return read;
}

describe("value bytes", () => {
  test("every value survives a round trip", () => {
    const unit = fc.constantFrom("\0", "a", "é", "\ud83d", "\ude00");
    const value = fc.anything({
      withBigInt: true,
      withNullPrototype: false,
      withUnicodeString: true,
      values: [
        fc.boolean(),
        fc.integer(),
        fc.maxSafeInteger(),
        fc.double(),
        fc.bigInt(),
        fc.string({ unit }),
        fc.constant(null),
        fc.constant(undefined),
        fc.uint8Array(),
        fc.date({ noInvalidDate: true }),
      ],
    });
    fc.assert(
      fc.property(value, (one) => {
        expect(back(one)).toStrictEqual(one);
      }),
      { numRuns: 500 },
    );
  });

  test("texts of every length survive a round trip, ASCII or not", () => {
    for (const length of [0, 1, 42, 43, 63, 64, 127, 128, 5461, 5462, 16_383, 16_384]) {
      for (const one of ["a", "é", "€", "\u{1f600}"]) {
        expect(back([one.repeat(length), 1])).toEqual([one.repeat(length), 1]);
      }
    }
  });

  test("a property named __proto__ stays a property", () => {
    const object = JSON.parse('{"__proto__": {"a": 1}, "1": 2}');
    expect(JSON.stringify(back(object))).toBe(JSON.stringify(object));
  });

  test("the bytes of a value never change", () => {
    const hex = (one: unknown): string => Buffer.from(bytesOf(one)).toString("hex");
    expect(hex([undefined, null, false, true, 0, 127, 128, -1])).toBe(
      "0b0800010203" + "80ff048001" + "0501",
    );
    expect(hex(0.5)).toBe("06000000000000e03f");
    expect(hex(new Date(1))).toBe("0d000000000000f03f");
    expect(hex([258n, -258n, 0n])).toBe("0b03" + "07020102" + "08020102" + "0700");
    expect(hex({ a: "é", b: new Uint8Array([1]) })).toBe(
      "0c02" + "090161" + "0902c3a9" + "090162" + "0a0101",
    );
  });

  test("a value that would not survive is refused", () => {
    class Day extends Date {}
    const itself: unknown[] = [];
    itself.push(itself);
    for (const one of [new Map(), () => 1, Symbol("a"), { at: new Day(0) }, itself]) {
      expect(() => bytesOf(one)).toThrow("value: expected text, numbers");
    }
    expect(() => bytesOf([new Date("no day")])).toThrow("value: expected a date, found an invalid");
  });
});

test("a varint holds every whole number up to 2^53 - 1", () => {
  for (const one of [
    0,
    1,
    127,
    128,
    2 ** 31,
    2 ** 32,
    2 ** 49 - 1,
    2 ** 49,
    Number.MAX_SAFE_INTEGER,
  ]) {
    const writer = new ByteWriter(1);
    writeVarint(writer, one);
    expect(readVarint({ bytes: writer.view(), at: 0, end: writer.length })).toBe(one);
  }
});
