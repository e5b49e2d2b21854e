/** The ratio of pairs of runs, with its interval. */
export interface Ratio {
  readonly ratio: number;
  /** The interval contains the median in 95 of 100 cases; with five pairs, in 94. */
  readonly low: number;
  readonly high: number;
}

/** The median of the ratios pair by pair. */
export function ratioOf(pairs: readonly { readonly ours: number; readonly peer: number }[]): Ratio {
  const { median: ratio, low, high } = medianOf(pairs.map(({ ours, peer }) => ours / peer));
  return { ratio, low, high };
}

export interface Median {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The median, with an interval that assumes nothing about the values' distribution. */
export function medianOf(values: readonly number[]): Median {
  const rising = [...values].sort((a, b) => a - b);
  const cut = ranksCut(rising.length);
  return {
    median: rounded(median(rising)),
    low: rounded(rising[cut] ?? Number.NaN),
    high: rounded(rising[rising.length - 1 - cut] ?? Number.NaN),
  };
}

/** To four decimals: more would be noise. */
export const rounded = (value: number): number => Number(value.toFixed(4));

export function median(values: readonly number[]): number {
  const rising = [...values].sort((a, b) => a - b);
  const low = rising[(rising.length - 1) >> 1] ?? Number.NaN;
  const high = rising[rising.length >> 1] ?? Number.NaN;
  return (low + high) / 2;
}

/**
 * How many values at either end lie outside the interval: the most for which, by the sign test, the
 * median is beyond the interval in at most 5 % of cases.
 */
function ranksCut(count: number): number {
  let beyond = 0;
  let chance = 0.5 ** count;
  for (let cut = 0; ; cut++) {
    beyond += 2 * chance;
    if (beyond > 0.05) return Math.max(0, cut - 1);
    chance *= (count - cut) / (cut + 1);
  }
}
