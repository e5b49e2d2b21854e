/** Strictly below, by more than the last bits of numbers that are equal on paper. */
export const below = (a: number, b: number): boolean =>
  b === Number.POSITIVE_INFINITY ? a < b : a < b - 1e-9 * Math.abs(b);

/** Not below, to the same accuracy. */
export const notBelow = (a: number, b: number): boolean => !below(a, b);

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;

/** Of a population: divided by n. */
export function deviation(numbers: readonly number[]): number {
  const m = mean(numbers);
  return Math.sqrt(mean(numbers.map((x) => (x - m) ** 2)));
}

/** Interpolated between the two nearest ranks; q from 0 to 100. */
export function percentile(numbers: readonly number[], q: number): number {
  const rising = [...numbers].sort((a, b) => a - b);
  const rank = (q / 100) * (rising.length - 1);
  const low = rising[Math.floor(rank)] ?? Number.NaN;
  const high = rising[Math.ceil(rank)] ?? Number.NaN;
  return low === high ? low : low + (high - low) * (rank - Math.floor(rank));
}

/** The item with the largest value; among equals, to a billionth, the first. */
export function largest<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  let best: T | undefined;
  for (const item of items) {
    if (best === undefined || below(value(best), value(item))) best = item;
  }
  return best;
}
