import { log, pow } from "../../base/math.ts";
import { nextFloat, type RandomState } from "../../base/random.ts";
import { cell } from "../../base/rows.ts";
import type { Expectation } from "../expect/expect.ts";
import type { Signals } from "../expect/signals.ts";
import { TAIL_FROM, wholeExpectedMs } from "../expect/tail.ts";
import { type Plan, ROLE } from "../schedule/planned.ts";

/** How long attempts take, as a multiple of their expected time. */
export interface Lifetimes {
  readonly ratio: Float64Array;
  /** 1 if the attempt was killed: its ratio is "at least". */
  readonly isKilled: Uint8Array;
}

/** No attempt is assumed to last longer than this many times its expected time. */
const RATIO_MAX = 10;
const ALPHA_MIN = 1.5;
const INVENTED = 3;

/** The lifetimes of all attempts with peers, in rising order. */
export function lifetimesOf(plan: Plan, signals: Signals, expectation: Expectation): Lifetimes {
  const found: { readonly ratio: number; readonly killed: number }[] = [];
  for (let i = 0; i < plan.count; i++) {
    if (plan.role[i] !== ROLE.finishes) continue;
    const whole = wholeExpectedMs(plan, signals, expectation, i);
    if (whole === undefined || !(whole > 0)) continue;
    const ratio = cell(signals.ownMs[i]) / whole;
    found.push({ ratio, killed: signals.isWhole[i] === 1 ? 0 : 1 });
  }
  found.sort((a, b) => (a.ratio < b.ratio ? -1 : a.ratio > b.ratio ? 1 : a.killed - b.killed));
  return {
    ratio: Float64Array.from(found, ({ ratio }) => ratio),
    isKilled: Uint8Array.from(found, ({ killed }) => killed),
  };
}

/**
 * Draws lifetimes: below 1.25 times the expected time from the estimate of Kaplan and Meier, in
 * which a killed attempt counts as "at least"; above it from a Pareto tail. Each sampler draws its
 * own weights for the attempts, so that the spread of many samplers shows the uncertainty of few
 * attempts.
 */
export class LifetimeSampler {
  readonly #ratio: Float64Array;
  /** The share of attempts that last longer than each ratio. */
  readonly #survival: Float64Array;
  readonly #alpha: number;
  readonly #random: RandomState;

  constructor({ ratio, isKilled }: Lifetimes, random: RandomState) {
    this.#ratio = ratio;
    this.#random = random;
    this.#survival = new Float64Array(ratio.length);
    const weight = new Float64Array(ratio.length);
    for (let n = 0; n < ratio.length; n++) {
      const at = Math.floor(nextFloat(random) * ratio.length);
      weight[at] = cell(weight[at]) + 1;
    }
    let atRisk = ratio.length;
    let survival = 1;
    let ended = 0;
    let excess = 0;
    for (let i = 0; i < ratio.length; i++) {
      const own = cell(weight[i]);
      if (isKilled[i] === 0 && atRisk > 0) survival *= 1 - own / atRisk;
      this.#survival[i] = survival;
      atRisk -= own;
      const beyond = cell(ratio[i]) / TAIL_FROM;
      if (beyond <= 1) continue;
      excess += own * log(beyond);
      if (isKilled[i] === 0) ended += own;
    }
    this.#alpha = Math.max(ALPHA_MIN, (ended + INVENTED) / (excess + 1));
  }

  /** Between 0 and 1. */
  uniform(): number {
    return nextFloat(this.#random);
  }

  /** A lifetime that exceeds `from`; both as multiples of the expected time. */
  beyond(from: number): number {
    if (from >= TAIL_FROM) return this.#tail(from);
    const index = this.#below(from);
    const left = index < 0 ? 1 : cell(this.#survival[index]);
    const wanted = left * nextFloat(this.#random);
    const ratio = this.#ratio[this.#firstBelow(wanted, index + 1)] ?? Number.POSITIVE_INFINITY;
    return ratio <= TAIL_FROM ? Math.max(ratio, from) : this.#tail(TAIL_FROM);
  }

  /** The first index from `from` on whose survival is at most `wanted`. */
  #firstBelow(wanted: number, from: number): number {
    let low = from - 1;
    let high = this.#survival.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (cell(this.#survival[middle]) <= wanted) high = middle;
      else low = middle;
    }
    return high;
  }

  #tail(from: number): number {
    const drawn = from * pow(1 - nextFloat(this.#random), -1 / this.#alpha);
    return Math.max(from, Math.min(drawn, RATIO_MAX));
  }

  /** The last ratio that is at most `from`; -1 if there is none. */
  #below(from: number): number {
    let low = -1;
    let high = this.#ratio.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (cell(this.#ratio[middle]) <= from) low = middle;
      else high = middle;
    }
    return low;
  }
}
