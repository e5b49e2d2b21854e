import fc from "fast-check";

/**
 * Unusual files of lines: empty files, empty lines, CRLF, a last line without an end, long lines,
 * bytes that are not text.
 */
const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("a", "b", "ab", "the", "Ä€", "10", "9.5", "-3", "", "k"),
  },
  fc.constantFrom("x".repeat(20), "\0", "a\0b", "\x01\xff", "\u{1f9f9}", "z".repeat(300), "\ufeff"),
);
const text = fc
  .array(word, { maxLength: 5 })
  .map((words) => Buffer.from(words.join(" ").replaceAll("\n", "")));
const bytes = fc
  .uint8Array({ maxLength: 12 })
  .map((some) => Buffer.from(some.filter((byte) => byte !== NEWLINE)));
const line = fc.oneof({ weight: 5, arbitrary: text }, bytes);
const end = fc.constantFrom("\n", "\n", "\n", "\r\n");

const file: fc.Arbitrary<Buffer> = fc
  .tuple(fc.array(fc.tuple(line, end), { maxLength: 25 }), fc.boolean())
  .map(([lines, isCut]) => {
    const parts = lines.flatMap(([one, its], i) =>
      isCut && i === lines.length - 1 ? [one] : [one, Buffer.from(its)],
    );
    return Buffer.concat(parts);
  });

/** A few files. */
export const anyFiles: fc.Arbitrary<readonly Buffer[]> = fc.array(file, {
  minLength: 1,
  maxLength: 3,
});

const NEWLINE = 0x0a;
