import { cell } from "../base/rows.ts";
import { mean, paired95, percentile, studentT975, variance } from "../base/stats.ts";
import { RUNS_PER_POOL } from "./luck.ts";
import type { Outcome } from "./trial.ts";

/** Against the baseline, with the same seeds; negative is faster. */
export interface Change {
  readonly rho: number;
  readonly ms: number;
  /** 95 %. */
  readonly lowMs: number;
  readonly highMs: number;
  /** Of slot time. */
  readonly slotShare: number;
  readonly copies: number;
  readonly wins: number;
}

/**
 * Paired by seed. Student's t; if all luck was drawn again, the interval also covers the
 * uncertainty of one log about bad luck. Where the runs are guesses about one run, because it is
 * not known how long its losers would have taken, each guess may be true: the change is the median,
 * as the audit of copies says it, and the interval holds 95 % of them. Of a sample, the interval is
 * that of one more pair, and wider by what the change owes to tasks that were not simulated.
 */
export function changeOf(
  rho: number,
  from: readonly Outcome[],
  to: readonly Outcome[],
  luck: "that-run" | "guesses" | "again",
): Change {
  const response = (runs: readonly Outcome[]) => runs.map((one) => one.responseMs);
  const pairs = { from: response(from), to: response(to) };
  const { mean: ms, halfWidth } = paired95(pairs);
  const changes = pairs.to.map((value, n) => value - cell(pairs.from[n]));
  const pools = luck === "again" ? poolsOf(changes) : [];
  // Each pair of a sample has other tasks, and the whole job is like one more: Student's interval
  // for a further pair.
  const isSample = to.some(({ addedMs }) => addedMs !== undefined);
  const ofOne = isSample ? halfWidth * Math.sqrt(changes.length + 1) : halfWidth;
  const half = Math.max(ofOne, widerHalf(changes, pools));
  const means = pools.map(mean);
  const rising = Float64Array.from(changes).sort();
  const isGuess = luck === "guesses";
  const added = (runs: readonly Outcome[]) => mean(runs.map(({ addedMs = 0 }) => addedMs));
  const unsampledMs = Math.abs(added(to) - added(from));
  const spread = isGuess ? [2.5, 97.5].map((q) => percentile(rising, q)) : [ms - half, ms + half];
  const slots = (runs: readonly Outcome[]) => mean(runs.map((one) => one.slotMs));
  return {
    rho,
    ms: isGuess ? percentile(rising, 50) : ms,
    // Savings are skewed: now and then a pool has many stragglers, and copies save much.
    lowMs: Math.min(...spread, ...means) - unsampledMs,
    highMs: Math.max(...spread, ...means) + unsampledMs,
    slotShare: slots(to) / slots(from) - 1,
    copies: mean(to.map((one) => one.copies)),
    wins: mean(to.map((one) => one.wins)),
  };
}

const poolsOf = (changes: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.floor(changes.length / RUNS_PER_POOL) }, (_, n) =>
    changes.slice(n * RUNS_PER_POOL, (n + 1) * RUNS_PER_POOL),
  );

/** Runs of one pool differ only by their draws; pools differ by what a log happens to show. */
function widerHalf(changes: readonly number[], pools: readonly (readonly number[])[]): number {
  if (pools.length < 2) return 0;
  const within = mean(pools.map(variance));
  const between = Math.max(0, variance(pools.map(mean)) - within / RUNS_PER_POOL);
  const error = Math.sqrt(between + variance(changes) / changes.length);
  return studentT975(pools.length - 1) * error;
}

/** The answers to one question, at the ends of what is known about rho. */
export interface Answer {
  /** Each attempt has its own luck, as far as is known: copies help most. */
  readonly byAttempt: Change;
  /** Bad luck comes back in every copy, as far as is known; absent if rho is given. */
  readonly byTask?: Change;
  /** At the best estimate of rho; absent if rho is unknown or given. */
  readonly atRho?: Change;
}

/** Between these the truth lies; `ms`: at the best estimate, or the middle. */
export interface Bracket {
  readonly ms: number;
  readonly lowMs: number;
  readonly highMs: number;
  /** The worse of the two ends. */
  readonly worstMs: number;
}

export function bracketOf({ byAttempt, byTask, atRho }: Answer): Bracket {
  const all = [byAttempt, ...(byTask === undefined ? [] : [byTask])];
  return {
    ms: atRho?.ms ?? mean(all.map(({ ms }) => ms)),
    lowMs: Math.min(...all.map(({ lowMs }) => lowMs)),
    highMs: Math.max(...all.map(({ highMs }) => highMs)),
    worstMs: Math.max(...all.map(({ ms }) => ms)),
  };
}

/**
 * The change that is shown first: at the best estimate of rho, with an interval over the range of
 * rho.
 */
export function shownOf(answer: Answer): Change {
  const { byAttempt, atRho } = answer;
  if (atRho === undefined) return byAttempt;
  const { lowMs, highMs } = bracketOf(answer);
  return {
    ...atRho,
    lowMs: Math.min(lowMs, atRho.lowMs),
    highMs: Math.max(highMs, atRho.highMs),
  };
}

/** Whether chance alone may have made the change. */
export const isByChance = ({ lowMs, highMs }: Pick<Change, "lowMs" | "highMs">): boolean =>
  lowMs <= 0 && highMs >= 0;
