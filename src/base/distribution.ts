import { mean, percentile } from "./stats.ts";

/** How long something may take, in milliseconds, as far as is known. */
export type Distribution =
  | { readonly kind: "unknown" }
  | { readonly kind: "point"; readonly at: number }
  /** Rising samples, each as likely as the others. */
  | { readonly kind: "samples"; readonly rising: readonly number[] };

export const UNKNOWN: Distribution = { kind: "unknown" };

/** undefined where nothing is known. */
export function meanOf(distribution: Distribution): number | undefined {
  if (distribution.kind === "point") return distribution.at;
  if (distribution.kind === "unknown" || distribution.rising.length === 0) return undefined;
  return mean(distribution.rising);
}

/** Interpolated, q from 0 to 100; undefined where nothing is known. */
export function quantileOf(distribution: Distribution, q: number): number | undefined {
  if (distribution.kind === "point") return distribution.at;
  if (distribution.kind === "unknown" || distribution.rising.length === 0) return undefined;
  return percentile(distribution.rising, q);
}

/** P(it takes less than the limit); 0 where nothing is known: no evidence, no probability. */
export function probabilityBelow(distribution: Distribution, limitMs: number): number {
  if (distribution.kind === "point") return distribution.at < limitMs ? 1 : 0;
  if (distribution.kind === "unknown" || distribution.rising.length === 0) return 0;
  return countBelow(distribution.rising, limitMs) / distribution.rising.length;
}

function countBelow(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = rising[middle];
    if (value !== undefined && value < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
