import { compareKeys } from "../../../src/job/index.ts";

/** The least positive number: each finite number is a multiple of it. */
const UNIT = 2 ** -1074;

/** A finite number as a multiple of UNIT. */
export function units(x: number): bigint {
  let mantissa = x;
  let exponent = 0n;
  // Powers of two change no digit.
  while (Math.abs(mantissa) >= 2 ** -960) {
    mantissa /= 2 ** 60;
    exponent += 60n;
  }
  return BigInt(mantissa / UNIT) << exponent;
}

/** The number nearest to a sum of units; infinite if the sum is too large. */
export function nearest(sum: bigint): number {
  if (sum < 0n) return -nearest(-sum);
  const cut = Math.max(0, sum.toString(2).length - 60);
  const top = sum >> BigInt(cut);
  // More bits than a number has: the last bit says whether any lower bit was set.
  const isCut = top << BigInt(cut) !== sum;
  const half = Math.floor(cut / 2);
  return Number(isCut ? top | 1n : top) * UNIT * 2 ** half * 2 ** (cut - half);
}

const isExact = (sum: bigint): boolean =>
  Number.isFinite(nearest(sum)) && units(nearest(sum)) === sum;

/**
 * The exact sum as the nearest number and the rest at each addition; undefined if the value is not
 * finite or two numbers cannot hold the sum.
 */
export function added(sum: bigint, value: number): bigint | undefined {
  if (!Number.isFinite(value)) return undefined;
  const total = sum + units(value);
  const rounded = nearest(units(nearest(sum)) + units(value));
  return Number.isFinite(rounded) && isExact(total - units(rounded)) ? total : undefined;
}

/** An accumulator, of any kind. */
export interface Accumulator {
  readonly sum: bigint;
  readonly count: number;
  readonly extreme: number | undefined;
}

export const NOTHING: Accumulator = { sum: 0n, count: 0, extreme: undefined };

export type Kind = "count" | "sum" | "mean" | "least" | "greatest";

/**
 * The result of adding a record's value of this kind; undefined if the value is of another kind.
 */
export function merged(kind: Kind, into: Accumulator, value: unknown): Accumulator | undefined {
  switch (kind) {
    case "count":
      return isNatural(value) ? { ...into, count: into.count + value } : undefined;
    case "sum": {
      const sum = addedParts(into.sum, value);
      return sum === undefined ? undefined : { ...into, sum };
    }
    case "mean": {
      if (!Array.isArray(value) || value.length !== 2 || !isNatural(value[1])) return undefined;
      const sum = addedParts(into.sum, value[0]);
      return sum === undefined ? undefined : { ...into, sum, count: into.count + value[1] };
    }
    default:
      return typeof value === "number" ? withExtreme(kind, into, value) : undefined;
  }
}

export function withExtreme(
  kind: "least" | "greatest",
  into: Accumulator,
  value: number,
): Accumulator {
  const { extreme = value } = into;
  const inOrder = [extreme, value].sort(compareKeys);
  return { ...into, extreme: inOrder.at(kind === "least" ? 0 : -1) };
}

const isNatural = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);

/** A sum is one or two numbers: both are added, or neither. */
function addedParts(sum: bigint, value: unknown): bigint | undefined {
  const parts: readonly unknown[] = Array.isArray(value) && value.length === 2 ? value : [value];
  return parts.reduce<bigint | undefined>(
    (so, part) => (so === undefined || typeof part !== "number" ? undefined : added(so, part)),
    sum,
  );
}
