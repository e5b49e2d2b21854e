/**
 * Java's 64-bit `long`, for policies that follow a Java source to the bit: exact where a double is
 * not, with wrap-around.
 */
export const LONG_MIN = -0x8000_0000_0000_0000n;

const LONG_MAX = 0x7fff_ffff_ffff_ffffn;
const TWO_TO_63 = Number(-LONG_MIN);

/** `(long) x` of a double: truncated towards 0, clamped at both ends, 0 for NaN. */
export function toLong(x: number): bigint {
  if (Number.isNaN(x)) return 0n;
  if (x >= TWO_TO_63) return LONG_MAX;
  return x <= -TWO_TO_63 ? LONG_MIN : BigInt(Math.trunc(x));
}

/** The low 64 bits of a result. */
export const wrapLong = (x: bigint): bigint => BigInt.asIntN(64, x);
