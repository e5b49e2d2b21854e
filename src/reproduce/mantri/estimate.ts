import { interval95 } from "../../base/stats.ts";
import type { Measured } from "../experiment.ts";

/** A measured row: the mean over runs and its 95 % interval. */
export function over(
  values: readonly number[],
  row: Pick<Measured, "figure" | "setting" | "metric">,
): Measured {
  const { mean: value, halfWidth } = interval95(values);
  const { figure, setting, metric } = row;
  return {
    figure,
    setting,
    metric,
    value,
    low: value - halfWidth,
    high: value + halfWidth,
    runs: values.length,
  };
}

/** A measured row that nothing is drawn for. */
export function exactly(
  value: number,
  row: Pick<Measured, "figure" | "setting" | "metric">,
): Measured {
  const { figure, setting, metric } = row;
  return { figure, setting, metric, value, low: value, high: value, runs: 1 };
}
