import { exp, log } from "../../../base/math.ts";

/** How much slower than others a thing is in the long run: the mean of the ratio's logarithm. */
interface Leaning {
  log: number;
  count: number;
}

/** Plain data. */
export type Leanings<K> = Map<K, Leaning>;

export const noLeanings = <K>(): Leanings<K> => new Map();

/** As much as so many attempts at the usual speed: one slow attempt is no persistent slowness. */
const PRIOR_COUNT = 3;

/**
 * One more attempt, so many times slower than usual. The mean is geometric, so that one attempt in
 * trouble does not stand for the machine, and covers about `most` attempts, so that it forgets.
 */
export function learnRatio<K>(leanings: Leanings<K>, of: K, ratio: number, most: number): void {
  let leaning = leanings.get(of);
  if (leaning === undefined) {
    leaning = { log: 0, count: 0 };
    leanings.set(of, leaning);
  }
  leaning.count = Math.min(leaning.count + 1, most);
  leaning.log += (log(ratio) - leaning.log) / (leaning.count + PRIOR_COUNT);
}

/** 1 for what is not known. */
export function factorOf<K>(leanings: Leanings<K>, of: K): number {
  const leaning = leanings.get(of);
  return leaning === undefined ? 1 : exp(leaning.log);
}
