/**
 * The number of a given rank in a growing collection. Plain data: two binary heaps. O(log n) per
 * number added.
 */
export interface Ranked {
  /** The numbers below the rank, negated, so that the largest comes first. */
  readonly lower: number[];
  /** The other numbers, smallest first. */
  readonly upper: number[];
}

export const noneRanked = (): Ranked => ({ lower: [], upper: [] });

export const countOf = ({ lower, upper }: Ranked): number => lower.length + upper.length;

/** The number of the rank given at the last addition; undefined if there are too few numbers. */
export const rankedOf = ({ upper }: Ranked): number | undefined => upper[0];

/** Adds a number; the rank counts from 0, and may change by one with each addition. */
export function addRanked(ranked: Ranked, value: number, rank: number): void {
  const { lower, upper } = ranked;
  const largestBelow = lower[0];
  if (largestBelow !== undefined && value < -largestBelow) push(lower, -value);
  else push(upper, value);
  const below = Math.min(rank, countOf(ranked));
  while (lower.length > below) push(upper, -pop(lower));
  while (lower.length < below) push(lower, -pop(upper));
}

/** Adds a number, for the median; of an even count, the upper of the two middle numbers. */
export function addToMedian(ranked: Ranked, value: number): void {
  addRanked(ranked, value, Math.floor((countOf(ranked) + 1) / 2));
}

/** Adds to a heap, smallest first. */
function push(heap: number[], value: number): void {
  let at = heap.push(value) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = value;
}

/** Removes and returns the smallest number of a heap that is not empty. */
function pop(heap: number[]): number {
  const smallest = heap[0]!;
  const value = heap.pop()!;
  if (heap.length === 0) return smallest;
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
  return smallest;
}
