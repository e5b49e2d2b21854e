import { assert } from "../../../base/assert.ts";
import { ascending } from "../../../base/order.ts";

/** Values of phases, each with its weight and the run in which it was drawn. */
export interface Weighted {
  readonly values: readonly number[];
  readonly weights: readonly number[];
  readonly runs: readonly number[];
}

/** How often each run is counted; once each by default. */
export type WeightedCounts = readonly number[];

/** A distribution that is sorted once and evaluated for many counts of its runs. */
export class WeightedDistribution {
  readonly #from: Weighted;
  /** Indices in rising order of the values. */
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

  /** The value below which q of the weight lies, q from 0 to 1; NaN without weight. */
  quantile(q: number, counts: WeightedCounts): number {
    const total = this.#weight(counts, () => true);
    if (total === 0) return Number.NaN;
    let below = 0;
    let last = 0;
    for (const place of this.#rising) {
      below += this.#weightAt(place, counts);
      last = this.#from.values[place]!;
      if (below >= q * total && below > 0) return last;
    }
    return last;
  }

  /** The share of the weight whose values satisfy `holds`. */
  shareWhere(holds: (value: number) => boolean, counts: WeightedCounts): number {
    return this.#weight(counts, holds) / this.#weight(counts, () => true);
  }

  #weight(counts: WeightedCounts, holds: (value: number) => boolean): number {
    let sum = 0;
    for (const [place, value] of this.#from.values.entries()) {
      if (holds(value)) sum += this.#weightAt(place, counts);
    }
    return sum;
  }

  #weightAt(place: number, counts: WeightedCounts): number {
    return this.#from.weights[place]! * counts[this.#from.runs[place]!]!;
  }
}

/**
 * A number of all runs together and of each run alone, from which `sectioned` makes an interval. A
 * difference is paired, since both of its sides come from the same runs.
 */
export function partsOf(
  runs: number,
  statistic: (counts: WeightedCounts) => number,
): { readonly whole: number; readonly parts: readonly number[] } {
  return {
    whole: statistic(new Array<number>(runs).fill(1)),
    parts: Array.from({ length: runs }, (_, run) =>
      statistic(Array.from({ length: runs }, (_, i) => (i === run ? 1 : 0))),
    ),
  };
}
