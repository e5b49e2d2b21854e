/** How often Mantri's tasks report (§5). */
export interface Reporting {
  /** Milliseconds between two reports of a long task. */
  readonly periodMs: number;
  /** Reports in the life of a short one. */
  readonly periodsPerLife: number;
}

/** Δ, milliseconds: how often a task reports that lives for so long. */
export const reportPeriodMs = ({ periodMs, periodsPerLife }: Reporting, lifeMs: number): number =>
  Math.min(periodMs, lifeMs / periodsPerLife);
