import { log, pow } from "../../base/math.ts";
import { cell } from "../../base/rows.ts";
import { type Plan, ROLE } from "../schedule/planned.ts";
import type { Expectation } from "./expect.ts";
import { expectedNetMs } from "./phase-fit.ts";
import type { Signals } from "./signals.ts";

/** Beyond this many times its expected time, an attempt belongs to the tail. */
export const TAIL_FROM = 1.25;
const ALPHA_MIN = 1.5;
/** Three invented, ordinary tail attempts keep a thin tail sane. */
const INVENTED = 3;
const INVENTED_EXCESS = 1;

/**
 * The exponent of the Pareto tail of duration / expected time. A killed attempt counts as "at
 * least": it adds to the excess, and not to the attempts that ended.
 */
export function tailExponent(plan: Plan, signals: Signals, expectation: Expectation): number {
  let ended = 0;
  let excess = 0;
  for (let i = 0; i < plan.count; i++) {
    if (plan.role[i] !== ROLE.finishes) continue;
    const whole = wholeExpectedMs(plan, signals, expectation, i);
    if (whole === undefined) continue;
    const ratio = cell(signals.ownMs[i]) / whole;
    if (!(ratio > TAIL_FROM)) continue;
    excess += log(ratio / TAIL_FROM);
    if (signals.isWhole[i] === 1) ended += 1;
  }
  return Math.max(ALPHA_MIN, (ended + INVENTED) / (excess + INVENTED_EXCESS));
}

/** Progress below this share says nothing about the rest. */
const SHARE_MIN = 0.02;

/** Whether the log tells how far a killed attempt had come. */
export function hasProgress({ share }: Signals, i: number): boolean {
  const known = cell(share[i]);
  return known > SHARE_MIN && known < 1;
}

/**
 * The duration of a killed attempt with progress, had it continued: at its rate so far, times
 * `rate`. `startUp`: where its start-up lies between the shortest and the longest possible, 0 to 1.
 */
export function continued(
  { ownMs, share, startUpMax, startUpMin }: Signals,
  i: number,
  { startUp, rate }: { readonly startUp: number; readonly rate: number },
): number {
  const elapsed = cell(ownMs[i]);
  // The log may not say how long the attempt took before it made progress.
  const [low, high] = [cell(startUpMin[i]), cell(startUpMax[i])];
  const startUpMs = low + (high - low) * startUp;
  const rest = ((elapsed - startUpMs) / cell(share[i])) * rate;
  return Math.max(elapsed, startUpMs + rest);
}

/** The median duration of an attempt that has run for `elapsedMs` and was killed then. */
export function medianOfKilled(elapsedMs: number, wholeMs: number, alpha: number): number {
  const from = Math.max(elapsedMs, TAIL_FROM * wholeMs);
  return elapsedMs < wholeMs ? wholeMs : from * pow(2, 1 / alpha);
}

/**
 * The time that an attempt on its node should take, with usual GC and fetch wait; undefined: no
 * peers.
 */
export function wholeExpectedMs(
  plan: Plan,
  signals: Signals,
  expectation: Expectation,
  i: number,
): number | undefined {
  const fit = expectation.fits[cell(plan.phase[i])];
  if (fit === undefined) return undefined;
  const net = expectedNetMs(fit, signals, i);
  const factor = cell(expectation.slowed[i]);
  return factor * (net + fit.gcMs + fit.fetchMs + fit.deserializeMs);
}
