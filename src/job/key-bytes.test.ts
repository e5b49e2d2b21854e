import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareKeys, decodeKey, encodeKey, type Key } from "./index.ts";

/** Each key is smaller than the next, and near to it in some order. */
const RISING: readonly Key[] = [
  null,
  false,
  true,
  Number.NEGATIVE_INFINITY,
  -Number.MAX_VALUE,
  -1,
  -Number.MIN_VALUE,
  -0,
  0,
  Number.MIN_VALUE,
  1,
  Number.MAX_SAFE_INTEGER,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  -(2n ** 2000n),
  -(256n ** 120n),
  -(256n ** 119n),
  -(256n ** 119n) + 1n,
  -256n,
  -255n,
  -1n,
  0n,
  1n,
  255n,
  256n,
  256n ** 119n - 1n,
  256n ** 119n,
  256n ** 120n,
  2n ** 2000n,
  "",
  "\0",
  "\0\0",
  "\0a",
  "\x01",
  "a",
  "a\0",
  "a\0\xff",
  "ab",
  "é",
  "\ud7ff",
  "\ud800",
  "\ud800a",
  "\udfff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{10ffff}",
  [],
  [null],
  [null, null],
  [1, 2],
  ["a"],
  ["a", "b"],
  ["a\0"],
  ["ab"],
  [[]],
  [["a"], 1],
  [["a", 1]],
  [new Date(0)],
  [new Date(0), 1],
  [new Date(1)],
  new Date(-8.64e15),
  new Date(-1),
  new Date(0),
  new Date(1),
  new Date("2026-07-27T01:02:03.004Z"),
  new Date(8.64e15),
];

const key: fc.Arbitrary<Key> = fc.letrec<{ key: Key; scalar: Key }>((tie) => ({
  scalar: fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.integer(),
    fc.date({ noInvalidDate: true }),
    fc.bigInt(),
    fc.bigInt({ min: -(2n ** 1200n), max: 2n ** 1200n }),
    fc.string({ unit: "binary" }),
    // Any code units, unpaired surrogates among them; few, so that prefixes are shared.
    fc
      .array(fc.constantFrom("\0", "a", "\ud83d", "\ude00", "\uffff", "\xff"))
      .map((u) => u.join("")),
  ),
  key: fc.oneof({ maxDepth: 3 }, tie("scalar"), fc.array(tie("key"), { maxLength: 4 })),
})).key;

const compareBytes = (left: Key, right: Key): number =>
  Buffer.compare(encodeKey(left), encodeKey(right));

describe("key bytes", () => {
  test("the order of each kind of key is as documented", () => {
    for (const [i, left] of RISING.entries()) {
      for (const [k, right] of RISING.entries()) {
        expect([left, right, compareBytes(left, right)]).toEqual([left, right, Math.sign(i - k)]);
        expect([left, right, Math.sign(compareKeys(left, right))]).toEqual([
          left,
          right,
          Math.sign(i - k),
        ]);
      }
    }
  });

  test("bytes compare like keys", () => {
    fc.assert(
      fc.property(key, key, (left, right) => {
        expect(compareBytes(left, right)).toBe(Math.sign(compareKeys(left, right)));
      }),
      { numRuns: 2000 },
    );
  });

  test("every key comes back exactly", () => {
    for (const one of RISING) expect(decodeKey(encodeKey(one))).toStrictEqual(one);
    fc.assert(
      fc.property(key, (one) => {
        expect(decodeKey(encodeKey(one))).toStrictEqual(one);
      }),
      { numRuns: 2000 },
    );
  });

  test("long texts come back exactly", () => {
    const words = [
      "ASCII only, and longer than the short ones",
      "Zwölf große Boxkämpfer",
      "\u{1f600}\ud83d!",
    ];
    for (const word of words) {
      expect(decodeKey(encodeKey(word.repeat(10)))).toBe(word.repeat(10));
    }
  });

  test("the bytes of a key never change", () => {
    const hex = (one: Key): string => Buffer.from(encodeKey(one)).toString("hex");
    expect(hex(["the", 1, -1])).toBe(
      `07${"0674686500"}${"04bff0000000000000"}${"04400fffffffffffff"}00`,
    );
    expect(hex([null, false, true])).toBe("0701020300");
    expect(hex(new Date(1))).toBe("08bff0000000000000");
    expect(hex("a\0b")).toBe("066100ff6200");
    expect(hex(0n)).toBe("0580");
    expect(hex(258n)).toBe("05820102");
    expect(hex(-258n)).toBe("057dfefd");
    expect(hex(256n ** 119n)).toBe(`05f87801${"00".repeat(119)}`);
  });

  test("a value that is not a key is refused", () => {
    class Day extends Date {
      readonly isHoliday = true;
    }
    const wrong: unknown[] = [undefined, {}, new Map(), new Day(0), [Symbol("a")]];
    for (const one of wrong) {
      const loose: (key: never) => Uint8Array = encodeKey;
      expect(() => Reflect.apply(loose, undefined, [one])).toThrow("expected a string, number");
    }
    expect(() => encodeKey([new Date("no day")])).toThrow("key: expected a date, found an invalid");
  });
});
