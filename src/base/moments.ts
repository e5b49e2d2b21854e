/** Count, sum and squares of some numbers, for their mean and standard deviation. Plain data. */
export interface Moments {
  count: number;
  sum: number;
  squares: number;
}

export const noMoments = (): Moments => ({ count: 0, sum: 0, squares: 0 });

export function addMoment(moments: Moments, value: number): void {
  moments.count++;
  moments.sum += value;
  moments.squares += value * value;
}

/** Removes a number that was added. */
export function removeMoment(moments: Moments, value: number): void {
  moments.count--;
  moments.sum = Math.max(0, moments.sum - value);
  moments.squares = Math.max(0, moments.squares - value * value);
}

export const meanOf = ({ count, sum }: Moments): number => sum / count;

/** The deviation of the population: divided by n. */
export function deviationOf({ count, sum, squares }: Moments): number {
  const mean = sum / count;
  return Math.sqrt(Math.max(0, squares / count - mean * mean));
}
