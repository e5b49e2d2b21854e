/** What pairs of runs say of a ratio. */
export interface Ratio {
  readonly ratio: number;
  /** The median lies between them in 95 of 100 cases; of five pairs, in 94. */
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

/** With an interval that assumes nothing of their spread. */
export function medianOf(values: readonly number[]): Median {
  const rising = [...values].sort((a, b) => a - b);
  const cut = ranksCut(rising.length);
  return {
    median: rounded(median(rising)),
    low: rounded(rising[cut] ?? Number.NaN),
    high: rounded(rising[rising.length - 1 - cut] ?? Number.NaN),
  };
}

/** To four digits behind the point: more would be noise. */
export const rounded = (value: number): number => Number(value.toFixed(4));

export function median(values: readonly number[]): number {
  const rising = [...values].sort((a, b) => a - b);
  const low = rising[(rising.length - 1) >> 1] ?? Number.NaN;
  const high = rising[rising.length >> 1] ?? Number.NaN;
  return (low + high) / 2;
}

/**
 * How many values at either end are outside: as many as leave, by the sign test, 5 % at most beyond
 * the interval.
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
