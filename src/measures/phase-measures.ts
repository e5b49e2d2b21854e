import { median } from "../base/stats.ts";
import { type Observation, predicted, regress } from "./regression.ts";
import type { TaskRun } from "./task-runs.ts";

/** Mantri 4.1: a task has a "high runtime" if it takes longer than 1.5 times its phase's median. */
export const OUTLIER_FACTOR = 1.5;
/** Mantri 4.2: data explain a task if its time is within 20 % of what the regression predicts. */
export const EXPLAINED_RESIDUAL = 0.2;

/** How a phase's tasks ran: Mantri, sections 3 and 4. Shares from 0 to 1. */
export interface PhaseMeasures {
  /** Tasks that succeeded: the whole of each share below, unless it says otherwise. */
  readonly tasks: number;
  readonly medianMs: number;
  /** The share of the tasks that are outliers (4.1, Figure 2). */
  readonly outliers: number;
  /** The median time of the outliers over that of all tasks; absent without outliers. */
  readonly outlierTimes?: number;
  /** The share of the outliers whose time their bytes explain; absent without outliers or bytes. */
  readonly explained?: number;
  /**
   * Among the tasks that take over 1.2 times what their bytes explain, the share that are no
   * outliers, so that nothing would be done for them; absent without such tasks or without bytes.
   */
  readonly improvable?: number;
}

/** Undefined if no task of the phase succeeded. */
export function phaseMeasures(runs: readonly TaskRun[]): PhaseMeasures | undefined {
  if (runs.length === 0) return undefined;
  const medianMs = median(runs.map(({ ms }) => ms));
  const outliers = runs.filter(({ ms }) => ms > OUTLIER_FACTOR * medianMs);
  return {
    tasks: runs.length,
    medianMs,
    outliers: outliers.length / runs.length,
    ...(outliers.length > 0 &&
      medianMs > 0 && { outlierTimes: median(outliers.map(({ ms }) => ms)) / medianMs }),
    ...explanation(runs, medianMs),
  };
}

function explanation(
  runs: readonly TaskRun[],
  medianMs: number,
): Pick<PhaseMeasures, "explained" | "improvable"> {
  if (runs.some(({ bytes }) => Number.isNaN(bytes))) return {};
  const areRacksKnown = runs.every(({ farBytes }) => !Number.isNaN(farBytes));
  return explainedBy(
    runs.map(({ ms, bytes, farBytes }) => ({ ms, bytes, farBytes: areRacksKnown ? farBytes : 0 })),
    medianMs,
  );
}

/** Mantri 4.2: what the size of the input and the bytes across racks explain of the times. */
export function explainedBy(
  tasks: readonly Observation[],
  medianMs: number,
): Pick<PhaseMeasures, "explained" | "improvable"> {
  const line = regress(tasks);
  const residual = (task: Observation): number => task.ms / predicted(line, task) - 1;
  const outliers = tasks.filter(({ ms }) => ms > OUTLIER_FACTOR * medianMs);
  const explained = outliers.filter((task) => Math.abs(residual(task)) <= EXPLAINED_RESIDUAL);
  const slow = tasks.filter((task) => {
    const over = residual(task);
    // Below -1, the line predicts a negative time.
    return over > EXPLAINED_RESIDUAL || over < -1;
  });
  const hidden = slow.filter(({ ms }) => ms <= OUTLIER_FACTOR * medianMs);
  return {
    ...(outliers.length > 0 && { explained: explained.length / outliers.length }),
    ...(slow.length > 0 && { improvable: hidden.length / slow.length }),
  };
}
