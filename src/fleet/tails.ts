import { exp, log } from "../base/math.ts";

/** Terms beyond this share of the sum no longer change it. */
const NOTHING = 1e-17;

/** ln P(B >= least) of a binomial variable: the successes of `trials`, each with this chance. */
export function logBinomialTail(trials: number, least: number, chance: number): number {
  if (least <= 0 || chance >= 1) return 0;
  let term = 0;
  for (let i = 0; i < least; i++) term += log(trials - i) - log(i + 1);
  term += least * log(chance) + (trials - least) * log(1 - chance);
  const first = term;
  let sum = 1;
  const odds = log(chance) - log(1 - chance);
  for (let i = least + 1; i <= trials; i++) {
    term += log(trials - i + 1) - log(i) + odds;
    const more = exp(term - first);
    sum += more;
    if (more < NOTHING * sum) break;
  }
  return Math.min(0, first + log(sum));
}
