import { exp, log } from "../base/math.ts";
import { cell } from "../base/rows.ts";
import { logBinomialTail } from "./tails.ts";

/** Fewer jobs may be the bad luck of one evening. */
const JOBS_MIN = 3;
/** A node that hurts more jobs than this is as evident. */
const JOBS_LOOKED_AT = 20;

/** Above this, a chance is not computed. */
const RARE = 0.02;

/** The most unlikely number of a node's jobs. */
export interface Evidence {
  /** -ln of the chance that as many of its jobs are as unlikely. */
  readonly evidence: number;
  /** Those jobs: the most unlikely ones. */
  readonly count: number;
}

/** Berk and Jones, 1979. `chances` ascend; each is uniform from 0 to 1 if only luck is at work. */
export function evidenceOf(chances: ArrayLike<number>): Evidence {
  let [evidence, count] = [0, 0];
  const all = chances.length;
  for (let jobs = JOBS_MIN; jobs <= Math.min(all, JOBS_LOOKED_AT); jobs++) {
    const chance = cell(chances[jobs - 1]);
    // As many jobs as that are expected: no evidence.
    if (chance * all >= jobs) break;
    const own = -logBinomialTail(all, jobs, chance);
    if (own > evidence) [evidence, count] = [own, jobs];
  }
  return { evidence, count };
}

/**
 * The chance that luck gives a node of so many jobs this evidence or more, with whatever number of
 * them: that of the sorted chances one, at least, is at or below its bound (Noe, 1972).
 * 1 where there is little evidence.
 */
export function chanceOfEvidence(jobs: number, evidence: number): number {
  // With whatever number of jobs, it is no rarer than with one number.
  if (exp(-evidence) > RARE) return 1;
  // The chance of each number of jobs so far, without one at its bound.
  let counted = [1];
  let total = 0;
  let passed = 0;
  for (let count = JOBS_MIN; count <= Math.min(jobs, JOBS_LOOKED_AT); count++) {
    const bound = Math.max(passed, boundOf(jobs, count, evidence));
    // As in `evidenceOf`: more are expected.
    if (bound * jobs >= count) break;
    const within = (bound - passed) / (1 - passed);
    const next = Array.from({ length: count }, () => 0);
    for (const [before, chance] of counted.entries()) {
      const left = jobs - before;
      for (let more = 0; before + more < count; more++) {
        next[before + more] = cell(next[before + more]) + chance * binomial(left, more, within);
      }
      total += chance * exp(logBinomialTail(left, count - before, within));
    }
    [counted, passed] = [next, bound];
  }
  return Math.min(1, total);
}

/** Halvings that find a bound to the last bits that count. */
const HALVINGS = 50;

/** The chance at which so many of a node's jobs make this evidence. */
function boundOf(jobs: number, count: number, evidence: number): number {
  let [low, high] = [0, count / jobs];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    if (middle > 0 && -logBinomialTail(jobs, count, middle) < evidence) high = middle;
    else low = middle;
  }
  return low;
}

/** The chance of exactly so many of `trials`. */
function binomial(trials: number, count: number, chance: number): number {
  if (chance <= 0) return count === 0 ? 1 : 0;
  if (chance >= 1) return count === trials ? 1 : 0;
  let term = (trials - count) * log(1 - chance) + count * log(chance);
  for (let i = 0; i < count; i++) term += log(trials - i) - log(i + 1);
  return exp(term);
}
