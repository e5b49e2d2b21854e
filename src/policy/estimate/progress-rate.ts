import {
  beginDurations,
  type Durations,
  durationOfNew,
  endDurations,
  recordDuration,
} from "../../model/durations.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Estimator } from "../policy.ts";

const PARAMS = params({
  /** Durations of succeeded attempts kept for `newCopy`. Ours. */
  samplesMax: {
    default: 1000,
    min: 1,
    whole: true,
    about: "most durations kept per phase, to estimate a new copy's",
  },
});

export type ProgressRateParams = ParamsOf<typeof PARAMS>;

/** Time left at the average speed so far. */
export const progressRate: Estimator<ProgressRateParams, Durations> = {
  name: "progress-rate",
  source: "LATE (OSDI 2008), §4",
  params: PARAMS,
  needs: [],
  steady: true,
  remember: () => new Map(),

  hears: {
    "job-submitted": ({ memory }, { job }) => beginDurations(memory, job),
    "job-ended": ({ memory, view }, { job }) => endDurations(memory, view.job(job)),
    "attempt-succeeded": (ctx, what) => recordDuration(ctx.memory, what, ctx),
  },

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
