import { type Durations, durationOfNew, learnDurations } from "../../model/durations.ts";
import type { Estimator } from "../policy.ts";

export interface ProgressRateParams {
  /** Most durations of succeeded attempts kept per phase, for `newCopy`; 0: none. */
  readonly samplesMax: number;
}

/** Time left at the average speed so far. */
export const progressRate: Estimator<ProgressRateParams, Durations> = {
  name: "progress-rate",
  source: "LATE (OSDI 2008), §4",
  defaults: { samplesMax: 1000 },
  about: { samplesMax: "most durations kept per phase, to judge what a new copy would take" },
  bounds: { samplesMax: [1, Number.POSITIVE_INFINITY] },
  whole: ["samplesMax"],
  needs: [],
  steady: true,
  remember: () => new Map(),

  learn(ctx, what) {
    learnDurations(ctx.memory, what, ctx);
  },

  timeLeft: ({ view }, attempt) =>
    timeLeft({ score: view.progress(attempt).score, rate: view.rate(attempt) }),

  newCopy: ({ memory, view }, task) => durationOfNew(memory, view, task),
};

/**
 * §4: (1 - ProgressScore) / ProgressRate, where ProgressRate = ProgressScore / T; in milliseconds
 * if the rate is per millisecond. Without progress there is no end in sight.
 */
export function timeLeft(of: { readonly score: number; readonly rate: number }): number {
  if (of.score >= 1) return 0;
  return of.rate > 0 ? (1 - of.score) / of.rate : Number.POSITIVE_INFINITY;
}
