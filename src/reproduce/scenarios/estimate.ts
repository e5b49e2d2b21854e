import { never } from "../../base/assert.ts";
import { interval95, mean, standardDeviation, sum } from "../../base/stats.ts";
import { evaluate, perRun, type Quantity, type Samples, type Statistic } from "./quantity.ts";

/** A number and its 95 % interval; without an interval both ends equal the number. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * mean: the quantity of each seed's runs, averaged. of means: the quantity of the averages, for
 * shares of something that some runs lack. deviation: the spread of the runs. These three have the
 * jackknife's interval, which leaves out one seed after the other. min and max describe the runs
 * and have none.
 */
export function estimate(
  quantity: Quantity,
  statistic: Statistic,
  { samples, runs }: { readonly samples: Samples; readonly runs: number },
): Estimate {
  if (statistic === "of means") return ofMeans(quantity, samples, runs);
  const values = perRun(quantity, samples, runs);
  switch (statistic) {
    case "mean":
      return around(values);
    case "min":
      return exactly(Math.min(...values));
    case "max":
      return exactly(Math.max(...values));
    case "deviation":
      return jackknife(runs, standardDeviation(values), (out) =>
        standardDeviation(values.filter((_, run) => run !== out)),
      );
    default:
      return never(statistic);
  }
}

export const exactly = (value: number): Estimate => ({ value, low: value, high: value });

export function around(values: readonly number[]): Estimate {
  const { mean: value, halfWidth } = interval95(values);
  return { value, low: value - halfWidth, high: value + halfWidth };
}

function ofMeans(quantity: Quantity, samples: Samples, runs: number): Estimate {
  const whole = evaluate(quantity, (measure, setting) => mean(samples(measure, setting)));
  return jackknife(runs, whole, (out) =>
    evaluate(quantity, (measure, setting) => {
      const values = samples(measure, setting);
      return (sum(values) - (values[out] ?? 0)) / (runs - 1);
    }),
  );
}

/** The interval from the value of all runs, and of all but one. */
export function jackknife(runs: number, whole: number, without: (out: number) => number): Estimate {
  if (runs === 1) return exactly(whole);
  const pseudo = Array.from({ length: runs }, (_, out) => runs * whole - (runs - 1) * without(out));
  const { halfWidth } = interval95(pseudo);
  return { value: whole, low: whole - halfWidth, high: whole + halfWidth };
}
