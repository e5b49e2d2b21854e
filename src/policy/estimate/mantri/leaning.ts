import { placeIn } from "../../../base/sample.ts";
import { percentile } from "../../../base/stats.ts";

/** How many times slower than usual the last attempts in a place were, oldest first. */
interface Leaning {
  readonly ratios: number[];
  /** The same ratios, rising. */
  readonly rising: number[];
  /** Their median: the persistent part. */
  factor: number;
}

/** Plain data. */
export type Leanings<K> = Map<K, Leaning>;

export const noLeanings = <K>(): Leanings<K> => new Map();

/** Fewer attempts give no factor: slow ones among them may be chance. */
const ATTEMPTS_MIN = 5;

/**
 * Records that one more attempt was `ratio` times slower than usual. The median of the last `most`
 * ratios counts, so that one attempt in trouble does not mark the machine. COST: O(most).
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

/** 1 for an unknown place. */
export const factorOf = <K>(leanings: Leanings<K>, of: K): number => leanings.get(of)?.factor ?? 1;
