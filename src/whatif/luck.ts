import { exp, log } from "../base/math.ts";
import { integer, nextFloat, pick, type RandomState, randomState } from "../base/random.ts";
import { cell } from "../base/rows.ts";
import { type Lifetimes, lifetimesOf } from "../diagnose/audit/lifetimes.ts";
import type { Expectation } from "../diagnose/expect/expect.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import type { Signals } from "../diagnose/expect/signals.ts";
import {
  continued,
  hasProgress,
  medianOfKilled,
  TAIL_FROM,
  tailExponent,
  wholeExpectedMs,
} from "../diagnose/expect/tail.ts";
import { type Plan, ROLE } from "../diagnose/schedule/planned.ts";
import { duesOf } from "./due.ts";
import { gamma } from "./gamma.ts";

/** How long attempts took, as multiples of what their peers on the same node took. */
export interface Luck {
  /** Of each attempt of the plan; 1 if it has no peers. A loser's is an estimate. */
  readonly ratio: Float64Array;
  /**
   * Each attempt's expected time on a node of usual speed, at least what its size asks for; without
   * peers, its own duration.
   */
  readonly expectedMs: Float64Array;
  /** By task: 1 if its size is the reason for its time, so that its luck is its own. */
  readonly isOfSize: Uint8Array;
  /** By phase: the luck from which further attempts draw. */
  readonly pools: readonly LuckPool[];
  /** From which the ends of killed losers are drawn. */
  readonly lifetimes: Lifetimes;
}

/** The recorded ratios of a phase, in two parts: bad luck is too rare to know it from one phase. */
export interface LuckPool {
  /** The phase's ordinary ratios; the job's, if the phase has few. */
  readonly usual: Float64Array;
  /** The bad ones of the whole job. */
  readonly bad: Float64Array;
  /** The chance of bad luck: the phase's share, drawn towards the job's. */
  readonly badShare: number;
  /** The data behind the share: bad attempts among the attempts of the phase, and of the job. */
  readonly known: { readonly phase: Seen; readonly job: Seen };
  /** Shares of the whole job that are compatible with the log: rising, equally likely. */
  readonly jobShares: Float64Array;
}

export interface Seen {
  readonly bad: number;
  readonly attempts: number;
}

/** The median of what the diagnosis draws. */
const MEDIAN = { startUp: 0.5, rate: 1 };
/** Phases with fewer attempts draw from the whole job's ratios. */
const POOL_MIN = 8;
/** The number of attempts with the whole job's share that are added to a phase's own. */
const BESIDE = 20;

export function luckOf(plan: Plan, signals: Signals, expectation: Expectation): Luck {
  const ratio = new Float64Array(plan.count).fill(1);
  const expectedMs = new Float64Array(plan.count);
  const byPhase = plan.job.phases.map((): number[] => []);
  const dues = duesOf(plan, signals, expectation);
  const isOfSize = new Uint8Array(plan.tasks);
  const alpha = tailExponent(plan, signals, expectation);
  // As the diagnosis estimates what copies saved.
  const lasted = (i: number, own: number, whole: number): number => {
    if (plan.lostRace[i] === 1 && hasProgress(signals, i)) return continued(signals, i, MEDIAN);
    return medianOfKilled(own, whole, alpha);
  };
  for (let i = 0; i < plan.count; i++) {
    const own = cell(signals.ownMs[i]);
    const factor = cell(expectation.slowed[i]);
    const ofPeers = wholeExpectedMs(plan, signals, expectation, i);
    const dueMs = cell(dues[cell(plan.task[i])]) * factor;
    const whole = ofPeers === undefined ? undefined : Math.max(ofPeers, dueMs);
    const isLarge = ofPeers !== undefined && dueMs > ofPeers;
    if (isLarge && signals.isWhole[i] === 1 && own <= TAIL_FROM * dueMs) {
      isOfSize[cell(plan.task[i])] = 1;
    }
    expectedMs[i] = (whole ?? own) / factor;
    if (whole === undefined || !(whole > 0) || plan.role[i] !== ROLE.finishes) continue;
    ratio[i] = (signals.isCut[i] === 1 ? lasted(i, own, whole) : own) / whole;
    byPhase[cell(plan.phase[i])]?.push(cell(ratio[i]));
  }
  const lifetimes = lifetimesOf(plan, signals, expectation);
  return { ratio, expectedMs, isOfSize, pools: poolsOf(byPhase), lifetimes };
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
  const job = { bad: bad.length, attempts: bad.length + usual.length };
  const jobShare = job.bad / Math.max(1, job.attempts);
  const jobShares = sharesLike(job);
  return parts.map((part) => {
    const phase = { bad: part.bad.length, attempts: part.usual.length + part.bad.length };
    return {
      usual: Float64Array.from(part.usual.length < POOL_MIN ? usual : part.usual),
      bad,
      badShare: (phase.bad + BESIDE * jobShare) / (phase.attempts + BESIDE),
      known: { phase, job },
      jobShares,
    };
  });
}

const SHARES = 200;

/** The posterior of a rare event's rate, by draws. */
export function sharesLike({ bad, attempts }: Seen): Float64Array {
  const chance = randomState(1, "shares");
  const draw = (): number => gamma(chance, bad + UNSEEN) / Math.max(1, attempts);
  return Float64Array.from({ length: SHARES }, draw).sort();
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
  return from.length === 0 ? 1 : cell(from[integer(chance, from.length)]);
}

/** The number of paired runs that share one pool of bad luck. */
export const RUNS_PER_POOL = 2;
/** Half an attempt with bad luck: a log without one does not prove that there is none. */
const UNSEEN = 0.5;
/** Each of these invented ratios is as likely as an observed one. */
const UNSEEN_RATIOS = [1.5, 2.5, 4];

/** Multiples of it spread evenly between 0 and 1, however many there are. */
const GOLDEN = 0.618_033_988_75;

/**
 * The pool as another run of the same job might have shown it: one log's information about bad luck
 * is itself a matter of luck. `nth`: pools of different numbers spread the job's share evenly over
 * its range. The share and `ofJob` are the same for all phases, which are lucky together.
 */
export function otherPool(
  pool: LuckPool,
  nth: number,
  { ofJob, chance }: { readonly ofJob: RandomState; readonly chance: RandomState },
): LuckPool {
  const { known, jobShares } = pool;
  const at = (0.5 + nth * GOLDEN) % 1;
  const jobShare = cell(jobShares[Math.floor(at * jobShares.length)]);
  const { phase } = known;
  const rate = gamma(chance, phase.bad + BESIDE * jobShare) / (phase.attempts + BESIDE);
  const seen = [...pool.bad, pick(ofJob, UNSEEN_RATIOS)];
  const bad = Float64Array.from(seen, () => pick(ofJob, seen));
  return { ...pool, bad, badShare: Math.min(1, rate) };
}

/** The average time of an attempt. */
export function meanLuck({ usual, bad, badShare }: LuckPool): number {
  const mean = (ratios: Float64Array): number =>
    ratios.length === 0 ? 1 : ratios.reduce((sum, each) => sum + each, 0) / ratios.length;
  return badShare * mean(bad) + (1 - badShare) * mean(usual);
}
