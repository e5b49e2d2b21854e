import fc from "fast-check";
import type { Where } from "./bench.ts";

/** Of all lengths up to this one: fast-check makes at most ten of anything unless it is told. */
export const upTo = (maxLength: number) => ({ maxLength, size: "max" }) as const;

/** Keys of all bytes, some of which share beginnings and are longer than what a slot holds. */
export const someKey: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom("", "", "abcdefg", "abcdefgh", "abcdefghabcdefgh", "x".repeat(40)),
    fc.oneof(fc.uint8Array(upTo(20)), fc.array(fc.constantFrom(0, 1, 0x61, 0xff), upTo(10))),
  )
  .map(([start, end]) => Uint8Array.of(...Buffer.from(start), ...end));

/** Text of all lengths, zeros and two-byte characters among it. */
export const someText: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    fc.nat(0x7f).map((code) => String.fromCharCode(code)),
    fc.constantFrom("a", "a", "\0", "é"),
  ),
  ...upTo(40),
});

/** Text, a byte a character, that is mostly made of these. */
export const textOf = (characters: string, maxLength: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...characters) },
      { weight: 1, arbitrary: fc.nat(255).map((code) => String.fromCharCode(code)) },
    ),
    ...upTo(maxLength),
  });

/** Kernels read blocks of 64 bytes, and what lies around text says something to each of them. */
export const where: fc.Arbitrary<Where> = fc.record({
  shift: fc.nat(63),
  around: fc.constantFrom("\n", "\r", " ", ",", "0", "a", "-", "\0", '"'),
});
