import { exp, log } from "../../base/math.ts";
import { nextFloat, randomState } from "../../base/random.ts";
import { cell } from "../../base/rows.ts";
import { mostAtOnce } from "../response/most-at-once.ts";

/** The chance of `seen` or more where `mean` are expected, if each comes by itself (Poisson). */
export function chanceOfAtLeast(seen: number, mean: number): number {
  let term = exp(-mean);
  let below = 0;
  for (let k = 0; k < seen; k++) {
    below += term;
    term *= mean / (k + 1);
  }
  return Math.max(0, 1 - below);
}

/** Neighbours lie within this factor of the value. */
const AROUND = 2;
/** Half an attempt is always expected around a value: rare ones are not impossible. */
const INVENTED = 0.5;

/**
 * How many of the values a smooth tail has within `near` of `at`: as many, in logarithms, as lie
 * around. The tail falls there, so that this is rather too many than too few.
 */
export function expectedNear(values: readonly number[], at: number, near: number): number {
  const around = values.filter((value) => value >= at / AROUND && value <= at * AROUND);
  const outside = around.filter((value) => Math.abs(value / at - 1) > near).length;
  const width = log((1 + near) / (1 - near));
  return ((outside + INVENTED) * width) / (2 * log(AROUND) - width);
}

interface Interval {
  readonly from: number;
  readonly until: number;
}

const SHUFFLES = 499;

/**
 * The chance that as many of these intervals overlap as `seen`, if each had begun at any of the
 * `starts` of its group. `intervals`: with their groups. A chance above `most` is not looked at any
 * closer. COST: O(n log n) for n intervals, at most 499 times.
 */
export function chanceOfOverlap(
  intervals: readonly (Interval & { readonly group: number })[],
  starts: ReadonlyMap<number, readonly number[]>,
  seen: number,
  most = 1,
): number {
  const random = randomState(1, "overlaps");
  let reached = 1;
  for (let round = 0; round < SHUFFLES && reached <= most * (SHUFFLES + 1); round++) {
    const moved = intervals.map(({ from, until, group }) => {
      const own = starts.get(group) ?? [from];
      const start = cell(own[Math.floor(nextFloat(random) * own.length)]);
      return { from: start, until: start + until - from };
    });
    if (mostAtOnce(moved, Number.POSITIVE_INFINITY) >= seen) reached += 1;
  }
  return reached / (SHUFFLES + 1);
}
