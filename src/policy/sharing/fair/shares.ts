import { ascending, type Comparator } from "../../../base/order.ts";

/** The slots of one kind that a pool, or a job within its pool, has and wants. */
export interface ShareClaim {
  readonly running: number;
  /** Running and waiting tasks. */
  readonly demand: number;
  readonly minShare: number;
  readonly weight: number;
}

/** The precision of the shares, in bits: COMPUTE_FAIR_SHARES_ITERATIONS. */
const STEPS = 25;

/**
 * Hadoop 1.2.1, SchedulingAlgorithms.computeFairShares. Finds a ratio R of slots to weight at which
 * the shares - R times the weight, at least the minimum share, at most the demand - use up the
 * slots, or the demand if that is smaller.
 */
export function fairShares(claims: readonly ShareClaim[], slots: number): readonly number[] {
  let demand = 0;
  for (const claim of claims) demand += claim.demand;
  const cap = Math.min(demand, slots);
  // Double R until the shares use up the cap ...
  let most = 1;
  while (usedAt(most, claims) < cap) most *= 2;
  // ... then bisect.
  let low = 0;
  let high = most;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (usedAt(middle, claims) < cap) low = middle;
    else high = middle;
  }
  return claims.map((claim) => shareAt(high, claim));
}

function usedAt(ratio: number, claims: readonly ShareClaim[]): number {
  let used = 0;
  for (const claim of claims) used += shareAt(ratio, claim);
  return used;
}

const shareAt = (ratio: number, { weight, minShare, demand }: ShareClaim): number =>
  Math.min(Math.max(weight * ratio, minShare), demand);

/**
 * Hadoop 1.2.1, FairShareComparator: claims below their minimum share come first, by the fraction
 * of it that they have; then by running tasks per weight.
 */
export const byNeed = <T extends ShareClaim>(then: Comparator<T>): Comparator<T> =>
  ascending((claim) => (isNeedy(claim) ? 0 : 1), ascending(fulfilment, then));

const isNeedy = (claim: ShareClaim): boolean => claim.running < desired(claim);

const desired = ({ minShare, demand }: ShareClaim): number => Math.min(minShare, demand);

function fulfilment(claim: ShareClaim): number {
  const { running, weight } = claim;
  if (isNeedy(claim)) return running / Math.max(desired(claim), 1);
  // Without demand, the weight by size is 0 as well.
  return running === 0 ? 0 : running / weight;
}

/** Hadoop 1.2.1, isStarvedForMinShare. */
export const isBelowMinShare = isNeedy;

/** Hadoop 1.2.1, isStarvedForFairShare: below half of it, rounded down. */
export const isBelowHalf = ({ running, demand }: ShareClaim, fairShare: number): boolean =>
  running < Math.floor(Math.min(fairShare / 2, demand));

/** The slots that the claim is short of its minimum share, or of its fair share. */
export const shortOfMinShare = (claim: ShareClaim): number =>
  Math.max(0, desired(claim) - claim.running);

export const shortOfFairShare = ({ running, demand }: ShareClaim, fairShare: number): number =>
  Math.max(0, Math.floor(Math.min(fairShare, demand)) - running);

/**
 * Elephant §2.3: the minimum shares are adjusted if their total exceeds the slots; Hadoop 1.2.1's
 * source leaves them unchanged. All shrink by one factor, to whole slots.
 */
export function adjustedMinShares(minShares: readonly number[], slots: number): readonly number[] {
  let total = 0;
  for (const share of minShares) total += share;
  if (total <= slots) return minShares;
  // One division: 22 * (15 / 22) is less than 15.
  return minShares.map((share) => Math.floor((share * slots) / total));
}
