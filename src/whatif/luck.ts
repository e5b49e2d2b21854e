import { exp, log } from "../base/math.ts";
import { exponential, integer, nextFloat, normal, pick, type RandomState } from "../base/random.ts";
import type { Expectation } from "../diagnose/expect/expect.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import type { Signals } from "../diagnose/expect/signals.ts";
import {
  medianOfKilled,
  TAIL_FROM,
  tailExponent,
  wholeExpectedMs,
} from "../diagnose/expect/tail.ts";
import { type Plan, ROLE } from "../diagnose/schedule/planned.ts";

/** How long attempts took, as multiples of what their peers on the same node took. */
export interface Luck {
  /** Of each attempt of the plan; 1 if it has no peers. A loser's is an estimate. */
  readonly ratio: Float64Array;
  /** What each attempt should take on a node of usual speed; its own duration without peers. */
  readonly expectedMs: Float64Array;
  /** By phase: the luck from which further attempts draw. */
  readonly pools: readonly LuckPool[];
}

/** The recorded ratios of a phase, in two parts: bad luck is too rare to know it from one phase. */
export interface LuckPool {
  /** The phase's ordinary ratios; the job's, if the phase has few. */
  readonly usual: Float64Array;
  /** The bad ones of the whole job. */
  readonly bad: Float64Array;
  /** The chance of bad luck: the phase's share, drawn towards the job's. */
  readonly badShare: number;
  /** The attempts from which the share is known. */
  readonly attempts: number;
}

/** Phases with fewer attempts draw from the whole job's ratios. */
const POOL_MIN = 8;
/** So many attempts of the whole job's share stand beside a phase's own. */
const BESIDE = 20;

export function luckOf(plan: Plan, signals: Signals, expectation: Expectation): Luck {
  const ratio = new Float64Array(plan.count).fill(1);
  const expectedMs = new Float64Array(plan.count);
  const byPhase = plan.job.phases.map((): number[] => []);
  const alpha = tailExponent(plan, signals, expectation);
  for (let i = 0; i < plan.count; i++) {
    const own = signals.ownMs[i] ?? 0;
    const whole = wholeExpectedMs(plan, signals, expectation, i);
    const factor = expectation.factor[signals.node[i] ?? 0] ?? 1;
    expectedMs[i] = (whole ?? own) / factor;
    if (whole === undefined || !(whole > 0) || plan.role[i] !== ROLE.finishes) continue;
    const lasted = signals.isCut[i] === 1 ? medianOfKilled(own, whole, alpha) : own;
    ratio[i] = lasted / whole;
    byPhase[plan.phase[i] ?? 0]?.push(ratio[i] ?? 1);
  }
  return { ratio, expectedMs, pools: poolsOf(byPhase) };
}

function poolsOf(byPhase: readonly (readonly number[])[]): readonly LuckPool[] {
  const parts = byPhase.map((ratios) => {
    const from = badFrom(ratios);
    return {
      usual: ratios.filter((ratio) => ratio <= from),
      bad: ratios.filter((ratio) => ratio > from),
    };
  });
  const bad = Float64Array.from(parts.flatMap((part) => part.bad));
  const usual = parts.flatMap((part) => part.usual);
  const jobShare = bad.length / Math.max(1, bad.length + usual.length);
  return parts.map((part) => {
    const attempts = part.usual.length + part.bad.length + BESIDE;
    return {
      usual: Float64Array.from(part.usual.length < POOL_MIN ? usual : part.usual),
      bad,
      badShare: (part.bad.length + BESIDE * jobShare) / attempts,
      attempts,
    };
  });
}

/** Bad luck is beyond what the phase's ordinary attempts scatter: 3.5 robust deviations. */
const DEVIATIONS = 3.5;
/** The median absolute deviation of a normal distribution, times this, is its deviation. */
const NORMAL = 1.4826;

function badFrom(ratios: readonly number[]): number {
  if (ratios.length === 0) return TAIL_FROM;
  const sizes = Float64Array.from(ratios, (ratio) => Math.abs(log(ratio)));
  return Math.max(TAIL_FROM, exp(DEVIATIONS * NORMAL * medianOf(sizes)));
}

/** A ratio for another attempt. */
export function drawLuck({ usual, bad, badShare }: LuckPool, chance: RandomState): number {
  const from = nextFloat(chance) < badShare && bad.length > 0 ? bad : usual;
  return from.length === 0 ? 1 : (from[integer(chance, from.length)] ?? 1);
}

/** Paired runs that share what the log might have shown of bad luck. */
export const RUNS_PER_POOL = 2;
/** Half an attempt with bad luck: a log without one does not prove that there is none. */
const UNSEEN = 0.5;
/** One of these is as likely as a ratio that was seen. */
const UNSEEN_RATIOS = [1.5, 2.5, 4];

/**
 * The pool as another run of the same job might have shown it: what one log tells about bad luck is
 * itself a matter of luck.
 */
export function otherPool(pool: LuckPool, chance: RandomState): LuckPool {
  const count = Math.round(pool.badShare * pool.attempts);
  // A gamma variable of shape count + 1/2: the posterior of a rare event's rate.
  const z = normal(chance);
  let rate = UNSEEN * z * z;
  for (let n = 0; n < count; n++) rate += exponential(chance, 1);
  const seen = [...pool.bad, pick(chance, UNSEEN_RATIOS)];
  const bad = Float64Array.from(seen, () => pick(chance, seen));
  return { ...pool, bad, badShare: Math.min(1, rate / Math.max(1, pool.attempts)) };
}

/** What an attempt takes on average. */
export function meanLuck({ usual, bad, badShare }: LuckPool): number {
  const mean = (ratios: Float64Array): number =>
    ratios.length === 0 ? 1 : ratios.reduce((sum, each) => sum + each, 0) / ratios.length;
  return badShare * mean(bad) + (1 - badShare) * mean(usual);
}
