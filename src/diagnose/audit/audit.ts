import { defined } from "../../base/assert.ts";
import { randomState, split } from "../../base/random.ts";
import { cell } from "../../base/rows.ts";
import { percentile } from "../../base/stats.ts";
import type { Expectation } from "../expect/expect.ts";
import type { Signals } from "../expect/signals.ts";
import { continued, hasProgress, wholeExpectedMs } from "../expect/tail.ts";
import { type Plan, ROLE, slotMsOf } from "../schedule/planned.ts";
import { isCopy } from "../schedule/relate.ts";
import { schedule, type Timing } from "../schedule/schedule.ts";
import { LifetimeSampler, lifetimesOf } from "./lifetimes.ts";

/** The effect of one copy. Attempts are indexes into the plan; times in ms. */
export interface CopyAudit {
  readonly copy: number;
  readonly original: number;
  readonly won: boolean;
  /** The slot time of whichever attempt lost. */
  readonly wastedMs: number;
  /** How much earlier the task was done, at the median; 0 for a copy that lost. */
  readonly taskSavedMs: number;
  /** The winner began when its original had passed 80 % of its median duration. */
  readonly tooLate: boolean;
  /** How the original's duration is known. */
  readonly by: "progress" | "peers";
}

/** The effect of all copies together. */
export interface Audit {
  readonly copies: readonly CopyAudit[];
  readonly won: number;
  readonly wastedMs: number;
  /** `wastedMs` minus the slot time that the originals would still have used. */
  readonly netSlotMs: number;
  /** Response time saved: median and 90 % interval; `atLeastMs`: a cautious lower bound. */
  readonly savedMs: number;
  readonly lowMs: number;
  readonly highMs: number;
  readonly atLeastMs: number;
}

const DRAWS = 200;
/** Large jobs get fewer draws: each is a schedule of all attempts. */
const ATTEMPTS_DRAWN = 4_000_000;
const TOO_LATE = 0.8;

/** undefined if no copies were made. */
export function auditOf(
  plan: Plan,
  timing: Timing,
  signals: Signals,
  expectation: Expectation,
  seed: number,
): Audit | undefined {
  const pairs = pairsOf(plan);
  if (pairs.length === 0) return undefined;
  const lifetimes = lifetimesOf(plan, signals, expectation);
  const skipped = new Uint8Array(plan.count);
  for (const { copy } of pairs) skipped[copy] = 1;
  const recorded = schedule(plan, timing).doneAt;
  const draws = Math.max(20, Math.min(DRAWS, Math.round(ATTEMPTS_DRAWN / plan.count)));
  const random = randomState(seed, "audit");
  const saved: number[] = [];
  const lasted = pairs.map((): number[] => []);
  for (let draw = 0; draw < draws; draw++) {
    const sampler = new LifetimeSampler(lifetimes, split(random, draw));
    const own = Float64Array.from(timing.own);
    for (const [nth, { original }] of pairs.entries()) {
      if (plan.lostRace[original] !== 1) continue;
      own[original] = drawnDuration(plan, signals, expectation, original, sampler);
      lasted[nth]?.push(cell(own[original]));
    }
    saved.push(schedule(plan, { own, wait: timing.wait, skipped }).doneAt - recorded);
  }
  const rising = Float64Array.from(saved).sort();
  const copies = pairs.map((pair, nth) => copyAudit(plan, signals, pair, cell(lasted[nth])));
  const wastedMs = copies.reduce((total, copy) => total + copy.wastedMs, 0);
  // The originals would have run longer by the time that their tasks were done earlier.
  const used = copies.reduce((total, { taskSavedMs }) => total + taskSavedMs, 0);
  return {
    copies,
    won: copies.filter((copy) => copy.won).length,
    wastedMs,
    netSlotMs: wastedMs - used,
    savedMs: percentile(rising, 50),
    lowMs: percentile(rising, 5),
    highMs: percentile(rising, 95),
    // Estimated tails are overconfident, so the bound is below the interval.
    atLeastMs: Math.max(0, percentile(rising, 2)),
  };
}

interface Pair {
  readonly copy: number;
  readonly original: number;
}

/**
 * Copies beside an attempt that would have continued: without the copy, the attempt does the task.
 */
function pairsOf(plan: Plan): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let copy = 0; copy < plan.count; copy++) {
    const original = cell(plan.beside[copy]);
    if (!isCopy(plan, copy) || plan.role[original] === ROLE.fails) continue;
    pairs.push({ copy, original: firstOf(plan, original) });
  }
  return pairs;
}

/** A copy of a copy is also a copy of the original. */
function firstOf(plan: Plan, attempt: number): number {
  let first = attempt;
  for (let next = cell(plan.beside[first]); next >= 0; next = cell(plan.beside[first])) {
    first = next;
  }
  return first;
}

/**
 * How long an attempt would have taken that was killed because another had succeeded: by its
 * progress, where the log has it; else by its peers.
 */
export function drawnDuration(
  plan: Plan,
  signals: Signals,
  expectation: Expectation,
  i: number,
  sampler: LifetimeSampler,
): number {
  if (hasProgress(signals, i)) {
    const startUp = sampler.uniform();
    return continued(signals, i, { startUp, rate: RATE_MIN + RATE_SPREAD * sampler.uniform() });
  }
  const elapsed = cell(signals.ownMs[i]);
  const whole = wholeExpectedMs(plan, signals, expectation, i);
  if (whole === undefined || !(whole > 0)) return elapsed * sampler.beyond(1);
  return whole * sampler.beyond(elapsed / whole);
}

/** The rest of an attempt goes at its rate so far, give or take a fifth. */
const RATE_MIN = 0.8;
const RATE_SPREAD = 0.4;

function copyAudit(
  plan: Plan,
  signals: Signals,
  { copy, original }: Pair,
  lasted: readonly number[],
): CopyAudit {
  const startOf = (i: number): number => cell(plan.start[i]);
  const endOf = (i: number): number => cell(plan.end[i]);
  const won = plan.lostRace[original] === 1 && plan.lostRace[copy] === 0 && plan.role[copy] === 0;
  const loser = won ? original : copy;
  const wastedMs = slotMsOf(plan, loser);
  const by = hasProgress(signals, original) ? "progress" : "peers";
  if (!won || lasted.length === 0) {
    return { copy, original, won, wastedMs, taskSavedMs: 0, tooLate: false, by };
  }
  const median = percentile(Float64Array.from(lasted).sort(), 50);
  const wouldEnd = defined(plan.end[original], "an end") - cell(signals.ownMs[original]) + median;
  return {
    copy,
    original,
    won,
    wastedMs,
    taskSavedMs: Math.max(0, wouldEnd - endOf(copy)),
    tooLate: startOf(copy) - startOf(original) > TOO_LATE * median,
    by,
  };
}
