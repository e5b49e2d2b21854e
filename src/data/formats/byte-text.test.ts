import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteWriter } from "../../job/byte-writer.ts";
import { readEscapedText, writeEscapedText } from "../../job/escaped-text.ts";
import { bytesOf, textOf } from "./byte-text.ts";

/** Pieces that are, or nearly are, UTF-8: purely random bytes seldom come near its edges. */
const PIECES = [
  ...["61", "c3a9", "e282ac", "f09f9880", "efbfbd", "efbbbf", "00", "0a"],
  ...["80", "c3", "e282", "f09f98", "ff", "fe", "c0af", "c1bf", "e08080", "f0808080"],
  ...["eda080", "edb080", "eda080edb080", "edb280", "edb3bf", "f4908080", "f8888080"],
].map((hex) => Buffer.from(hex, "hex"));

const someBytes = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.uint8Array({ maxLength: 4 })), { maxLength: 30 })
  .map((pieces) => Buffer.concat(pieces));

const pure = {
  textOf: (bytes: Buffer) => readEscapedText(bytes, 0, bytes.length),
  bytesOf(text: string) {
    const into = new ByteWriter(1);
    writeEscapedText(into, text);
    return Buffer.from(into.view());
  },
};

describe("text of any bytes", () => {
  test("gives the bytes back", () => {
    fc.assert(
      fc.property(someBytes, (bytes) => {
        expect(bytesOf(textOf(bytes)).equals(bytes)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("agrees with the plain form", () => {
    fc.assert(
      fc.property(someBytes, (bytes) => {
        const text = pure.textOf(bytes);
        expect(textOf(bytes)).toBe(text);
        expect(pure.bytesOf(text).equals(bytes)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("is plain text for UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
        const bytes = Buffer.from(text);
        expect(textOf(bytes)).toBe(text);
        expect(bytesOf(text).equals(bytes)).toBe(true);
      }),
    );
  });

  test("has a surrogate for each byte that is not UTF-8", () => {
    expect(textOf(Buffer.from("a\xffb\xc3", "latin1"))).toBe("a\udcffb\udcc3");
    for (let byte = 0; byte < 256; byte++) {
      const expected = byte < 0x80 ? String.fromCharCode(byte) : String.fromCharCode(0xdc00 + byte);
      expect(textOf(Buffer.of(byte))).toBe(expected);
    }
  });
});

test("a surrogate that stands for no byte is written as U+FFFD", () => {
  for (const text of ["\ud800", "a\udc00b", "\ud83d\ud83d", "\ufffd\udfff"]) {
    expect(bytesOf(text).equals(Buffer.from(text))).toBe(true);
    expect(pure.bytesOf(text).equals(Buffer.from(text))).toBe(true);
  }
});
