import { crc32 as crc32OfZlib } from "node:zlib";
import { isSafe } from "./safety.ts";

/** CRC-32 as in zlib, continued from the checksum of the bytes before; 0 if safety is off. */
export const crc32: (bytes: Uint8Array, before?: number) => number = isSafe ? crc32OfZlib : () => 0;

/**
 * Extends a checksum over `bytes` further bytes without reading them: `crc32(both)` is
 * `crc32Behind(crc32(first), second.length) ^ crc32(second)`.
 *
 * A checksum is a polynomial over two elements, the highest power in its lowest bit, and each
 * further byte multiplies it by x^8 (Mark Adler's crc32_combine, in zlib).
 */
export function crc32Behind(checksum: number, bytes: number): number {
  let power = ONE;
  let bit = 3;
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = product(SQUARES[bit % 32] ?? ONE, power);
    bit++;
  }
  return product(power, checksum);
}

/** x^0. */
const ONE = 0x8000_0000;
const POLYNOMIAL = 0xedb8_8320;

/** The product modulo the polynomial. */
function product(left: number, right: number): number {
  let sum = 0;
  let shifted = right;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((left & bit) !== 0) sum ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return sum >>> 0;
}

/** x^(2^n): x^(2^32) is x again. */
const SQUARES: readonly number[] = squares();

function squares(): number[] {
  const all: number[] = [];
  for (let square = 0x4000_0000; all.length < 32; square = product(square, square)) {
    all.push(square);
  }
  return all;
}
