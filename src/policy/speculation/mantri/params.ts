import { type ParamsOf, params } from "../../params.ts";
import { REPORTING } from "../../shared/report-period.ts";

export const MANTRI_PARAMS = params({
  /** α. §5.1: the fastest two. */
  alpha: {
    default: 2,
    min: 1,
    whole: true,
    about: "copies of a task that are kept once they have reported (2)",
  },
  /** γ. §5.1: 3. */
  gamma: { default: 3, whole: true, about: "most kill-and-restarts of one task (3)" },
  /** δ. §5.1: 0.25. */
  delta: {
    default: 0.25,
    max: 1,
    about: "probability that a copy saves work beyond which it takes a contended slot (0.25)",
  },
  /** ρ. §5.1: 3. */
  rho: { default: 3, about: "periods of reports that a copy must save to take an idle slot (3)" },
  ...REPORTING,
  /** In Δ. §5.1: "for stability", without a figure; with 2, a report may be late. */
  stablePeriods: {
    default: 2,
    min: 1,
    about: "periods that a copy or restart has until its task may be copied again",
  },
  /** false: the restarted task queues again, as in Cosmos. */
  restartTakesSlot: {
    default: true,
    about: "whether a restarted task takes the slot at hand (false: it waits for one)",
  },
});

export type MantriParams = ParamsOf<typeof MANTRI_PARAMS>;
