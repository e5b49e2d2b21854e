import { placeIn } from "../../../base/sample.ts";
import { percentile } from "../../../base/stats.ts";

/** How many times slower than usual the last attempts were there, oldest first. */
interface Leaning {
  readonly ratios: number[];
  /** The same, rising. */
  readonly rising: number[];
  /** Their median: what is persistent of it. */
  factor: number;
}

/** Plain data. */
export type Leanings<K> = Map<K, Leaning>;

export const noLeanings = <K>(): Leanings<K> => new Map();

/** Of fewer attempts nothing is said: the slow ones among them may be chance. */
const ATTEMPTS_MIN = 5;

/**
 * One more attempt, so many times slower than usual. The last `most` are remembered, and of those
 * the median counts, so that an attempt in trouble does not stand for the machine. COST:
 * O(most).
 */
export function recordRatio<K>(leanings: Leanings<K>, of: K, ratio: number, most: number): void {
  const leaning = leanings.get(of) ?? { ratios: [], rising: [], factor: 1 };
  leanings.set(of, leaning);
  const { ratios, rising } = leaning;
  ratios.push(ratio);
  rising.splice(placeIn(rising, ratio), 0, ratio);
  const oldest = ratios.length > most ? ratios.shift() : undefined;
  if (oldest !== undefined) rising.splice(placeIn(rising, oldest) - 1, 1);
  if (ratios.length >= ATTEMPTS_MIN) leaning.factor = percentile(rising, 50);
}

/** 1 for what is not known. */
export const factorOf = <K>(leanings: Leanings<K>, of: K): number => leanings.get(of)?.factor ?? 1;
