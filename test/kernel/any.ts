import fc from "fast-check";
import type { Where } from "./bench.ts";

/** All lengths up to this: by default fast-check makes at most ten of anything. */
export const upTo = (maxLength: number) => ({ maxLength, size: "max" }) as const;

/** Keys of all bytes; some share beginnings and are longer than a slot. */
export const someKey: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom("", "", "abcdefg", "abcdefgh", "abcdefghabcdefgh", "x".repeat(40)),
    fc.oneof(fc.uint8Array(upTo(20)), fc.array(fc.constantFrom(0, 1, 0x61, 0xff), upTo(10))),
  )
  .map(([start, end]) => Uint8Array.of(...Buffer.from(start), ...end));

/** Text of all lengths, with zeros and two-byte characters. */
export const someText: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    fc.nat(0x7f).map((code) => String.fromCharCode(code)),
    fc.constantFrom("a", "a", "\0", "é"),
  ),
  ...upTo(40),
});

/** Text, one byte per character, mostly of these characters. */
export const textOf = (characters: string, maxLength: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...characters) },
      { weight: 1, arbitrary: fc.nat(255).map((code) => String.fromCharCode(code)) },
    ),
    ...upTo(maxLength),
  });

/** Kernels read blocks of 64 bytes, so the bytes around a text could mislead them. */
export const where: fc.Arbitrary<Where> = fc.record({
  shift: fc.nat(63),
  around: fc.constantFrom("\n", "\r", " ", ",", "0", "a", "-", "\0", '"'),
});
