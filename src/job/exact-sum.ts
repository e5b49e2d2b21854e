import { InputError } from "../base/input-error.ts";

/**
 * A sum without rounding, so that it does not depend on how its terms were grouped. A number:
 * exactly that number (or the infinity or NaN of the terms). An array: the exact sum of its
 * elements, none overlapping another (Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997,
 * §2). A bigint, once a term overflows: the sum in units of 2^-1074, the least positive number.
 */
export type ExactSum = number | bigint | readonly number[];

export function addExactly(sum: ExactSum, term: number): ExactSum {
  if (typeof term !== "number") {
    throw new InputError("bad-job", "sum", `expected a number, found ${typeof term}`);
  }
  if (typeof sum === "bigint") return Number.isFinite(term) ? sum + toUnits(term) : term;
  if (typeof sum === "number") {
    const rounded = sum + term;
    if (!Number.isFinite(sum)) return rounded;
    if (lost(sum, term, rounded) === 0) return rounded;
    return grow([sum], term);
  }
  return grow(sum, term);
}

export function mergeExactly(left: ExactSum, right: ExactSum): ExactSum {
  if (typeof right === "number") return addExactly(left, right);
  if (typeof left === "number") return addExactly(right, left);
  if (typeof left === "bigint" || typeof right === "bigint") return units(left) + units(right);
  return right.reduce<ExactSum>(addExactly, left);
}

/** The nearest number, ties to even. */
export function roundExactly(sum: ExactSum): number {
  return typeof sum === "number" ? sum : fromUnits(units(sum));
}

/** The error of `rounded` = x + y: Knuth's TwoSum, exact unless it overflows. */
function lost(x: number, y: number, rounded: number): number {
  const part = rounded - x;
  return x - (rounded - part) + (y - part);
}

/** Shewchuk's Grow-Expansion, with zeros left out. */
function grow(parts: readonly number[], term: number): ExactSum {
  if (!Number.isFinite(term)) return term;
  const grown: number[] = [];
  let carry = term;
  for (const part of parts) {
    const rounded = carry + part;
    if (!Number.isFinite(rounded)) return units(parts) + toUnits(term);
    const error = lost(carry, part, rounded);
    if (error !== 0) grown.push(error);
    carry = rounded;
  }
  if (grown.length === 0) return carry;
  if (carry !== 0) grown.push(carry);
  return grown;
}

function units(sum: bigint | readonly number[]): bigint {
  if (typeof sum === "bigint") return sum;
  return sum.reduce((so, part) => so + toUnits(part), 0n);
}

const view = new DataView(new ArrayBuffer(8));

/** A finite number in units of 2^-1074: its significand shifted by its exponent. */
function toUnits(x: number): bigint {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0) & 0x7fff_ffff_ffff_ffffn;
  const exponent = bits >> 52n;
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return x < 0 ? -size : size;
}

function fromUnits(sum: bigint): number {
  const size = sum < 0n ? -sum : sum;
  const dropped = BigInt(Math.max(0, size.toString(2).length - 64));
  // A sticky last bit, set if any dropped bit was, keeps Number() from rounding a near tie the
  // wrong way.
  const sticky = (size & ((1n << dropped) - 1n)) === 0n ? 0n : 1n;
  let x = Number((size >> dropped) | sticky);
  // Scales down in steps that stay normal, so that only the last step can round.
  let exponent = Number(dropped) - 1074;
  for (; exponent < -1000; exponent += 500) x *= powerOfTwo(-500);
  x *= powerOfTwo(Math.min(exponent, 1023));
  return sum < 0n ? -x : x;
}

/** For exponents from -1022 to 1023. */
function powerOfTwo(exponent: number): number {
  view.setBigUint64(0, BigInt(exponent + 1023) << 52n);
  return view.getFloat64(0);
}
