import type { Estimator } from "../policy.ts";
import {
  DURATIONS_PARAMS,
  type Durations,
  type DurationsParams,
  durationOfNew,
  HEARS_DURATIONS,
} from "../shared/durations.ts";

export type ProgressRateParams = DurationsParams;

/** Time left at the average speed so far. */
export const progressRate: Estimator<ProgressRateParams, Durations> = {
  name: "progress-rate",
  source: "LATE (OSDI 2008), §4",
  params: DURATIONS_PARAMS,
  needs: [],
  steady: true,
  remember: () => new Map(),

  hears: HEARS_DURATIONS,

  timeLeft: ({ view }, attempt) =>
    timeLeft({ score: view.score(attempt), rate: view.rate(attempt) }),
  timeLeftBy: timeLeft,

  newCopy: ({ memory, view }, task) => durationOfNew(memory, view, task),
};

/** What §4.1 sets LATE against: the slowest task first, however little it has left. */
export const rateAlone: Estimator<ProgressRateParams, Durations> = {
  ...progressRate,
  name: "rate-alone",
  source: 'LATE (OSDI 2008), §4.1, "a progress rate based scheduler"',
  // The end moves on with time.
  steady: false,
  timeLeft: ({ view }, attempt) =>
    wholeMs({ score: view.score(attempt), rate: view.rate(attempt) }),
  timeLeftBy: wholeMs,
};

/**
 * §4: (1 - ProgressScore) / ProgressRate, where ProgressRate = ProgressScore / T; in milliseconds
 * if the rate is per millisecond. Infinity without progress.
 */
export function timeLeft(of: { readonly score: number; readonly rate: number }): number {
  if (of.score >= 1) return 0;
  return of.rate > 0 ? (1 - of.score) / of.rate : Number.POSITIVE_INFINITY;
}

/**
 * The time of a whole task at this rate: longest first is the lowest rate first. 0 with a full
 * score, infinity without progress.
 */
function wholeMs({ rate, score }: { readonly score: number; readonly rate: number }): number {
  if (score >= 1) return 0;
  return rate > 0 ? 1 / rate : Number.POSITIVE_INFINITY;
}
