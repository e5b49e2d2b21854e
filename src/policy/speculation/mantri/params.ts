import type { Context } from "../../policy.ts";
import type { Looks } from "./look.ts";

export interface MantriParams {
  /** α, copies of a task that are kept once they have reported. §5.1: the fastest two. */
  readonly alpha: number;
  /** γ, most kill-and-restarts of one task. §5.1: 3. */
  readonly gamma: number;
  /** δ, the probability above which a copy takes a contended slot. §5.1: 0.25. */
  readonly delta: number;
  /** ρ, periods of reports that a copy must save to take an idle slot. §5.1: 3. */
  readonly rho: number;
  /** Of Δ, for a long task: milliseconds between two reports. §5: 10,000. */
  readonly periodMs: number;
  /** Of Δ, for a short task: reports in its life. §5: 10. */
  readonly periodsPerLife: number;
  /**
   * Periods Δ after the launch of a copy or restart in which its task is left alone. §5.1: "for
   * stability", without a figure; with 2, a report may be late.
   */
  readonly stablePeriods: number;
  /** Whether a restarted task takes the slot at hand; false: it queues again, as in Cosmos. */
  readonly restartTakesSlot: boolean;
}

export type MantriContext = Context<MantriParams, Looks>;

/** Δ, milliseconds: how often a task reports that lives for so long (§5). */
export const periodOf = (
  { periodMs, periodsPerLife }: Pick<MantriParams, "periodMs" | "periodsPerLife">,
  lifeMs: number,
): number => Math.min(periodMs, lifeMs / periodsPerLife);
