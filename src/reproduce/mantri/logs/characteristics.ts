import { median, standardDeviation, sum } from "../../../base/stats.ts";
import { explainedBy, OUTLIER_FACTOR } from "../../../measures/phase-measures.ts";
import type { Observation } from "../../../measures/regression.ts";
import type { LogModel } from "./model.ts";
import { attemptOf, type PhaseLog, type Role } from "./phase-log.ts";

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

export function characteristicsOf(model: LogModel, phase: PhaseLog): PhaseCharacteristics {
  const tasks: Observation[] = Array.from(phase.bytes, (bytes, index) => {
    const { ms, crossRackBytes } = attemptOf(model, phase, { index, ordinal: 0 });
    return { bytes, farBytes: crossRackBytes, ms };
  });
  const usualMs = median(tasks.map(({ ms }) => ms));
  const outliers = tasks.filter(({ ms }) => ms > OUTLIER_FACTOR * usualMs);
  const { explained, improvable } = explainedBy(tasks, usualMs);
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
    explained,
    improvable,
  };
}
