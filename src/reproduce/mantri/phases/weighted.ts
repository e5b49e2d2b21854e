import { assert } from "../../../base/assert.ts";
import { ascending } from "../../../base/order.ts";
import { integer, randomState } from "../../../base/random.ts";
import { percentile } from "../../../base/stats.ts";
import type { Estimate } from "../../scenarios/estimate.ts";

/** Values of phases, each with its weight and the run that it was drawn in. */
export interface Weighted {
  readonly values: readonly number[];
  readonly weights: readonly number[];
  readonly runs: readonly number[];
}

/** How often each run is counted; all once. */
export type Counts = readonly number[];

/** A distribution whose order is worked out once, for many counts of its runs. */
export class WeightedDistribution {
  readonly #from: Weighted;
  /** Places in rising order of the values. */
  readonly #rising: readonly number[];

  constructor(from: Weighted) {
    assert(from.values.length === from.weights.length, "each value has a weight");
    this.#from = from;
    this.#rising = from.values
      .map((_, i) => i)
      .sort(
        ascending(
          (i) => from.values[i]!,
          ascending((i) => i),
        ),
      );
  }

  /** The value below which q of the weight lies, q from 0 to 1. */
  quantile(q: number, counts: Counts): number {
    const total = this.#weight(counts, () => true);
    let below = 0;
    let last = 0;
    for (const place of this.#rising) {
      below += this.#weightAt(place, counts);
      last = this.#from.values[place]!;
      if (below >= q * total && below > 0) return last;
    }
    return last;
  }

  /** The share of the weight that is at most, or below, the limit. */
  shareWhere(holds: (value: number) => boolean, counts: Counts): number {
    return this.#weight(counts, holds) / this.#weight(counts, () => true);
  }

  #weight(counts: Counts, holds: (value: number) => boolean): number {
    let sum = 0;
    for (const [place, value] of this.#from.values.entries()) {
      if (holds(value)) sum += this.#weightAt(place, counts);
    }
    return sum;
  }

  #weightAt(place: number, counts: Counts): number {
    return this.#from.weights[place]! * counts[this.#from.runs[place]!]!;
  }
}

const RESAMPLES = 200;

/**
 * A number of all runs together, with its 95 % interval by bootstrap: the runs are drawn again and
 * again, with replacement, always in the same way, so that differences are paired.
 */
export function bootstrap(runs: number, statistic: (counts: Counts) => number): Estimate {
  const value = statistic(new Array<number>(runs).fill(1));
  if (runs === 1) return { value, low: value, high: value };
  const chance = randomState(1, "bootstrap");
  const drawn = Array.from({ length: RESAMPLES }, () => {
    const counts = new Array<number>(runs).fill(0);
    for (let i = 0; i < runs; i += 1) {
      const run = integer(chance, runs);
      counts[run] = counts[run]! + 1;
    }
    return statistic(counts);
  });
  const rising = Float64Array.from(drawn).sort();
  return { value, low: percentile(rising, 2.5), high: percentile(rising, 97.5) };
}
