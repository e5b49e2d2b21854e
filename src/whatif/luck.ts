import { nextFloat, type RandomState } from "../base/random.ts";
import type { Expectation } from "../diagnose/expect/expect.ts";
import type { Signals } from "../diagnose/expect/signals.ts";
import { medianOfKilled, tailExponent, wholeExpectedMs } from "../diagnose/expect/tail.ts";
import { type Plan, ROLE } from "../diagnose/schedule/planned.ts";

/** How long attempts took, as multiples of what their peers on the same node took. */
export interface Luck {
  /** Of each attempt of the plan; 1 if it has no peers. A loser's is an estimate. */
  readonly ratio: Float64Array;
  /** What each attempt should take on a node of usual speed; its own duration without peers. */
  readonly expectedMs: Float64Array;
  /** By phase: the ratios from which further attempts draw. */
  readonly pools: readonly Float64Array[];
}

/** Phases with fewer attempts draw from the whole job's ratios. */
const POOL_MIN = 8;

export function luckOf(plan: Plan, signals: Signals, expectation: Expectation): Luck {
  const ratio = new Float64Array(plan.count).fill(1);
  const expectedMs = new Float64Array(plan.count);
  const pools = plan.job.phases.map((): number[] => []);
  const alpha = tailExponent(plan, signals, expectation);
  for (let i = 0; i < plan.count; i++) {
    const own = signals.ownMs[i] ?? 0;
    const whole = wholeExpectedMs(plan, signals, expectation, i);
    const factor = expectation.factor[signals.node[i] ?? 0] ?? 1;
    expectedMs[i] = (whole ?? own) / factor;
    if (whole === undefined || !(whole > 0) || plan.role[i] !== ROLE.finishes) continue;
    const lasted = signals.isCut[i] === 1 ? medianOfKilled(own, whole, alpha) : own;
    ratio[i] = lasted / whole;
    pools[plan.phase[i] ?? 0]?.push(ratio[i] ?? 1);
  }
  const all = pools.flat();
  return {
    ratio,
    expectedMs,
    pools: pools.map((pool) => Float64Array.from(pool.length < POOL_MIN ? all : pool)),
  };
}

/** One of the pool's ratios. */
export const drawLuck = (pool: Float64Array, chance: RandomState): number =>
  pool[Math.floor(nextFloat(chance) * pool.length)] ?? 1;
