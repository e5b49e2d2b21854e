import { deviationOf, meanOf } from "../../../base/moments.ts";
import { type ParamsOf, params } from "../../params.ts";
import type { Estimator } from "../../policy.ts";
import { beginForecast, type Forecast, readForecast } from "./forecast.ts";
import { type Memory, type Model, SMOOTHED_PARAMS, startEndTimes } from "./start-end-times.ts";

const PARAMS = params({
  ...SMOOTHED_PARAMS,
  /** λ in ms: ...estimator.simple.exponential.smooth.lambda-ms, 120,000. */
  lambdaMs: { default: 120_000, min: 1, about: "time constant of the smoothing (120,000 ms)" },
  /** Milliseconds: ...smooth.stagnated-ms, 360,000. */
  stagnatedMs: {
    default: 360_000,
    about: "time after which readings are stale, at least two time constants (360,000 ms)",
  },
  /** ...smooth.skip-initials, 24. */
  skipInitials: {
    default: 24,
    whole: true,
    about: "readings before the forecast counts (24)",
  },
});

export type SimpleExponentialParams = ParamsOf<typeof PARAMS>;

/** A smaller forecast counts as this much: DEFAULT_PROGRESS_VALUE. */
const RATE_MIN = 1e-10;

/** CONFIDENCE_INTERVAL_FACTOR. */
const INTERVAL_SHARE_MAX = 0.25;

export const simpleExponentialModel: Model<SimpleExponentialParams, Forecast> = {
  begin: ({ lambdaMs }, startedAt) => beginForecast(startedAt, lambdaMs),

  read: (params, forecast, reading) => readForecast(forecast, reading, params),

  end(params, forecast) {
    // estimatedRuntime: the rest at the forecast rate, from the last reading on.
    const { last } = forecast;
    if (last === undefined) return undefined;
    const left = Math.max(0, Math.min(1, 1 - last.raw));
    const leftMs = left / Math.max(RATE_MIN, rateOf(params, forecast));
    return last.at + (Number.isNaN(leftMs) ? 0 : Math.trunc(leftMs));
  },

  newCopyMs({ compat }, durations) {
    // meanCI: a single duration has no interval, and Hadoop says 0.
    const { count } = durations;
    if (count <= 1) return compat ? 0 : meanOf(durations);
    const interval = meanOf(durations) + (1.96 * deviationOf(durations)) / Math.sqrt(count);
    return interval + Math.min(interval * INTERVAL_SHARE_MAX, deviationOf(durations) / 2);
  },

  isStalled({ compat, lambdaMs, skipInitials, stagnatedMs }, { last }, now) {
    if (last === undefined) return false;
    const staleAt = last.at + Math.max(2 * lambdaMs, stagnatedMs);
    // isDataStagnated: true while the data are fresh, which is the wrong way round.
    return compat ? last.index > skipInitials && staleAt > now : staleAt < now;
  },
};

/** getForecast: -1 until enough reports were read. Mended: the average rate until then. */
function rateOf(params: SimpleExponentialParams, { last, startedAt }: Forecast): number {
  if (last === undefined) return -1;
  if (last.index > params.skipInitials) return last.forecast;
  return params.compat || last.at === startedAt ? -1 : last.raw / (last.at - startedAt);
}

/**
 * newCopyMs is the mean plus its 95 % confidence interval, at most a quarter more; MAPREDUCE-7208.
 */
export const yarnSimpleExponential: Estimator<SimpleExponentialParams, Memory<Forecast>> = {
  ...startEndTimes(simpleExponentialModel),
  name: "yarn-simple-exponential",
  source: "Hadoop 3.3, SimpleExponentialTaskRuntimeEstimator (MAPREDUCE-7208, MAPREDUCE-7252)",
  params: PARAMS,
};
