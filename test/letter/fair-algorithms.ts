/** Hadoop 1.2.1, Schedulable: a pool, or a job in it. */
export interface Schedulable {
  readonly name: string;
  readonly startTime: number;
  readonly weight: number;
  readonly minShare: number;
  readonly demand: number;
  readonly running: number;
}

/** SchedulingAlgorithms.FairShareComparator. */
export function byFairShare(a: Schedulable, b: Schedulable): number {
  const minA = Math.min(a.minShare, a.demand);
  const minB = Math.min(b.minShare, b.demand);
  const isNeedyA = a.running < minA;
  const isNeedyB = b.running < minB;
  if (isNeedyA !== isNeedyB) return isNeedyA ? -1 : 1;
  const ratio = isNeedyA
    ? a.running / Math.max(minA, 1) - b.running / Math.max(minB, 1)
    : a.running / a.weight - b.running / b.weight;
  return ratio || a.startTime - b.startTime || (a.name < b.name ? -1 : 1);
}

const ITERATIONS = 25;

/** SchedulingAlgorithms.computeFairShares, in the order of the arguments. */
export function computeFairShares(of: readonly Schedulable[], slots: number): readonly number[] {
  const shares = (ratio: number) =>
    of.map(({ weight, minShare, demand }) => Math.min(Math.max(weight * ratio, minShare), demand));
  const used = (ratio: number) => shares(ratio).reduce((total, share) => total + share, 0);
  const demand = of.reduce((total, one) => total + one.demand, 0);
  const cap = Math.min(demand, slots);
  let right = 1;
  while (used(right) < cap) right *= 2;
  let left = 0;
  for (let i = 0; i < ITERATIONS; i++) {
    const mid = (left + right) / 2;
    if (used(mid) < cap) left = mid;
    else right = mid;
  }
  return shares(right);
}
