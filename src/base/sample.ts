/** A bounded, evenly drawn sample of the numbers seen so far. Plain data. */
export interface Sample {
  readonly rising: number[];
  /** The count of numbers that the sample was drawn from. */
  seen: number;
}

export const emptySample = (): Sample => ({ rising: [], seen: 0 });

/**
 * Adds a number to a sample of at most `most`. Once the sample is full, a new number replaces a
 * random one with the probability that keeps every number seen equally likely to be in the sample
 * (Vitter's algorithm R). `chance.random()` is uniform in [0, 1).
 */
export function addToSample(
  sample: Sample,
  value: number,
  most: number,
  chance: { random(): number },
): void {
  const { rising } = sample;
  sample.seen++;
  if (rising.length >= most) {
    const drawn = Math.floor(chance.random() * sample.seen);
    if (drawn >= rising.length) return;
    rising.splice(drawn, 1);
  }
  rising.splice(placeIn(rising, value), 0, value);
}

/** The index after the last number that is not larger. */
export function placeIn(rising: readonly number[], value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
