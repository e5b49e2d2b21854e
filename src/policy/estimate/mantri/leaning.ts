import { median } from "../../../base/stats.ts";

/** How many times slower than usual the last attempts were there, oldest first. */
interface Leaning {
  readonly ratios: readonly number[];
  /** Their median: what is persistent of it. */
  readonly factor: number;
}

/** Plain data. */
export type Leanings<K> = Map<K, Leaning>;

export const noLeanings = <K>(): Leanings<K> => new Map();

/** Of fewer attempts nothing is said: the slow ones among them may be chance. */
const ATTEMPTS_MIN = 5;

/**
 * One more attempt, so many times slower than usual. The last `most` are remembered, and of those
 * the median counts, so that an attempt in trouble does not stand for the machine. COST:
 * O(most log most).
 */
export function learnRatio<K>(leanings: Leanings<K>, of: K, ratio: number, most: number): void {
  const ratios = [...(leanings.get(of)?.ratios ?? []), ratio].slice(-most);
  leanings.set(of, { ratios, factor: ratios.length < ATTEMPTS_MIN ? 1 : median(ratios) });
}

/** 1 for what is not known. */
export const factorOf = <K>(leanings: Leanings<K>, of: K): number => leanings.get(of)?.factor ?? 1;
