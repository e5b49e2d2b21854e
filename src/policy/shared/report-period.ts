import { type ParamsOf, params } from "../params.ts";

/** How often Mantri's tasks report (§5). */
export const REPORTING = params({
  /** Milliseconds. §5: 10,000. */
  periodMs: {
    default: 10_000,
    min: 1,
    about: "time between two reports of a long task (10,000 ms)",
  },
  /** §5: 10; a short task reports more often. */
  periodsPerLife: { default: 10, min: 1, about: "reports in the life of a short task (10)" },
});

export type Reporting = ParamsOf<typeof REPORTING>;

/** Δ, milliseconds: how often a task with a life of `lifeMs` reports. */
export const reportPeriodMs = ({ periodMs, periodsPerLife }: Reporting, lifeMs: number): number =>
  Math.min(periodMs, lifeMs / periodsPerLife);
