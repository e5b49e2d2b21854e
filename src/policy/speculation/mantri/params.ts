import type { PhaseId } from "../../../model/ids.ts";
import type { Context } from "../../policy.ts";
import type { Reporting } from "../../shared/report-period.ts";
import type { Look } from "./look.ts";

/** Of Δ: §5 has 10,000 ms for a long task and 10 reports in the life of a short one. */
export interface MantriParams extends Reporting {
  /** α, copies of a task that are kept once they have reported. §5.1: the fastest two. */
  readonly alpha: number;
  /** γ, most kill-and-restarts of one task. §5.1: 3. */
  readonly gamma: number;
  /** δ, the probability above which a copy takes a contended slot. §5.1: 0.25. */
  readonly delta: number;
  /** ρ, periods of reports that a copy must save to take an idle slot. §5.1: 3. */
  readonly rho: number;
  /**
   * Periods Δ after the launch of a copy or restart in which its task is left alone. §5.1: "for
   * stability", without a figure; with 2, a report may be late.
   */
  readonly stablePeriods: number;
  /** Whether a restarted task takes the slot at hand; false: it queues again, as in Cosmos. */
  readonly restartTakesSlot: boolean;
}

/** Plain data. */
export interface MantriMemory {
  readonly looks: Map<PhaseId, Look>;
  /** When the next task can be judged that could not be so far; Infinity if there is none. */
  firstReportAt: number;
}

export type MantriContext = Context<MantriParams, MantriMemory>;
