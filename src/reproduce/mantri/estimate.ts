import { interval95, studentT975, sum } from "../../base/stats.ts";
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

/**
 * A measured row of a statistic over what all runs drew together, such as a quantile. The 95 %
 * interval comes from each run's part: sectioning (Asmussen and Glynn, Stochastic Simulation,
 * III.5). A part that is off because it is small widens the interval; an empty part is left out,
 * and if only one part is left, there is no interval: its ends are NaN.
 */
export function sectioned(
  row: Pick<Measured, "figure" | "setting" | "metric">,
  { whole: value, parts }: { readonly whole: number; readonly parts: readonly number[] },
): Measured {
  const { figure, setting, metric } = row;
  const known = parts.filter(Number.isFinite);
  const runs = known.length;
  const squares = sum(known.map((part) => (part - value) * (part - value)));
  const halfWidth =
    parts.length === 1
      ? 0
      : runs < 2
        ? Number.NaN
        : studentT975(runs - 1) * Math.sqrt(squares / (runs - 1) / runs);
  return { figure, setting, metric, value, low: value - halfWidth, high: value + halfWidth, runs };
}

/** A measured row in which nothing is random. */
export function exactly(
  value: number,
  row: Pick<Measured, "figure" | "setting" | "metric">,
): Measured {
  const { figure, setting, metric } = row;
  return { figure, setting, metric, value, low: value, high: value, runs: 1 };
}
