import { median, standardDeviation, sum } from "../../../base/stats.ts";
import type { LogModel } from "./model.ts";
import { attemptOf, type PhaseLog, type Role } from "./phase-log.ts";
import { type Observation, predicted, regress } from "./regression.ts";

/** The measures of a phase in §3 and §4. */
export interface PhaseCharacteristics {
  readonly role: Role;
  readonly tasks: number;
  /** Tasks divided by slots. */
  readonly waves: number;
  readonly computeMs: number;
  readonly bytes: number;
  readonly crossRackBytes: number;
  /** Standard deviation over mean of the tasks' data. */
  readonly sizeVariation: number;
  /** The time over the median, for the tasks that are longer than 1.5 times the median. */
  readonly outliers: readonly number[];
  /** The share of the outliers whose time the data explains; undefined without outliers. */
  readonly explained: number | undefined;
  /**
   * Among the tasks that take over 1.2 times what the data explains, the share that are no
   * outliers; undefined without such tasks.
   */
  readonly improvable: number | undefined;
}

/** §4.1: "high runtime" is longer than 1.5 times the median of the phase. */
export const OUTLIER_FACTOR = 1.5;
/** §4.2: a residual below 20 % is an explanation. */
export const EXPLAINED_RESIDUAL = 0.2;

export function figuresOf(model: LogModel, phase: PhaseLog): PhaseCharacteristics {
  const tasks: Observation[] = Array.from(phase.bytes, (bytes, index) => {
    const { ms, crossRackBytes } = attemptOf(model, phase, { index, ordinal: 0 });
    return { bytes, farBytes: crossRackBytes, ms };
  });
  const usualMs = median(tasks.map(({ ms }) => ms));
  const line = regress(tasks);
  const outliers = tasks.filter(({ ms }) => ms > OUTLIER_FACTOR * usualMs);
  const residual = (task: Observation) => task.ms / predicted(line, task) - 1;
  const explained = outliers.filter((task) => Math.abs(residual(task)) <= EXPLAINED_RESIDUAL);
  const slow = tasks.filter((task) => {
    const over = residual(task);
    return over > EXPLAINED_RESIDUAL || over < -1;
  });
  const hidden = slow.filter(({ ms }) => ms <= OUTLIER_FACTOR * usualMs);
  const sizes = [...phase.bytes];
  return {
    role: phase.role,
    tasks: tasks.length,
    waves: tasks.length / phase.slots,
    computeMs: sum(tasks.map(({ ms }) => ms)),
    bytes: sum(sizes),
    crossRackBytes: sum(tasks.map(({ farBytes }) => farBytes)),
    sizeVariation: standardDeviation(sizes) / (sum(sizes) / sizes.length),
    outliers: outliers.map(({ ms }) => ms / usualMs),
    explained: outliers.length === 0 ? undefined : explained.length / outliers.length,
    improvable: slow.length === 0 ? undefined : hidden.length / slow.length,
  };
}
