import { isClearlyBelow } from "./clearly-below.ts";
import { mean, percentile } from "./stats.ts";

/** A duration in milliseconds, as far as it is known. */
export type Distribution =
  | { readonly kind: "unknown" }
  | { readonly kind: "point"; readonly at: number }
  /** Rising samples, each as likely as the others. */
  | { readonly kind: "samples"; readonly rising: readonly number[] }
  /** Samples, each multiplied and shifted: one sample serves tasks of every size. */
  | ScaledSamples;

export interface ScaledSamples {
  readonly kind: "scaled";
  readonly rising: readonly number[];
  /** The mean of the unscaled samples, stored since it is often asked for. */
  readonly mean: number;
  /** More than 0. */
  readonly times: number;
  readonly plus: number;
}

export const UNKNOWN: Distribution = { kind: "unknown" };

/** undefined if nothing is known. */
export function meanOf(distribution: Distribution): number | undefined {
  if (distribution.kind === "point") return distribution.at;
  if (distribution.kind === "unknown" || distribution.rising.length === 0) return undefined;
  const { kind, rising } = distribution;
  return stretched(distribution, kind === "scaled" ? distribution.mean : mean(rising));
}

/** Interpolated, q from 0 to 100; undefined if nothing is known. */
export function quantileOf(distribution: Distribution, q: number): number | undefined {
  if (distribution.kind === "point") return distribution.at;
  if (distribution.kind === "unknown" || distribution.rising.length === 0) return undefined;
  return stretched(distribution, percentile(distribution.rising, q));
}

/**
 * P(duration < limit); 0 if nothing is known: no evidence, no probability. A duration that is equal
 * to the limit but for a rounding error is not below it.
 */
export function probabilityBelow(distribution: Distribution, limitMs: number): number {
  if (distribution.kind === "point") return isClearlyBelow(distribution.at, limitMs) ? 1 : 0;
  if (distribution.kind === "unknown" || distribution.rising.length === 0) return 0;
  const { rising } = distribution;
  const limit =
    distribution.kind === "scaled" ? (limitMs - distribution.plus) / distribution.times : limitMs;
  return countBelow(rising, limit) / rising.length;
}

function stretched(distribution: Distribution, sample: number): number {
  return distribution.kind === "scaled" ? sample * distribution.times + distribution.plus : sample;
}

function countBelow(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = rising[middle];
    if (value !== undefined && isClearlyBelow(value, limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}
