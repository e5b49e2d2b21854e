import { exp } from "../../../base/math.ts";
import type { Instant } from "../../../model/ids.ts";
import type { Reading } from "./readings.ts";

/** The state after a reading: Hadoop's ForecastRecord. Plain data, never changed. */
export interface ForecastRecord {
  readonly at: Instant;
  /** The progress that was read. */
  readonly raw: number;
  /** Smoothed rate of progress, per ms. */
  readonly forecast: number;
  /** Sum of the squared errors, each of a sample against the forecast before it. */
  readonly squaredErrors: number;
  /** The number of readings before this one. */
  readonly index: number;
}

/** Simple exponential smoothing of a rate of progress. */
export interface Forecast {
  readonly startedAt: Instant;
  /** λ in ms; grows once, to the time of the skipped readings. */
  readonly lambdaMs: number;
  /** The last record, and the one before it; undefined before the first reading. */
  readonly last: ForecastRecord | undefined;
  readonly before: ForecastRecord | undefined;
}

export const beginForecast = (startedAt: Instant, lambdaMs: number): Forecast => ({
  startedAt,
  lambdaMs,
  last: undefined,
  before: undefined,
});

/** incorporateReading, and ForecastRecord.append. */
export function readForecast(
  forecast: Forecast,
  { at, progress }: Reading,
  params: { readonly skipInitials: number; readonly compat: boolean },
): Forecast {
  const last = forecast.last ?? firstRecord(forecast, { at, progress });
  // The same progress, reported twice.
  if (last.at >= at && last.raw >= progress) return { ...forecast, last };
  // A second reading at the same time replaces the first. Hadoop takes the time since the first,
  // which is 0, so that the second reading has weight 0.
  const reference = last.at === at ? (forecast.before ?? last) : last;
  const sample = (progress - reference.raw) / (at - reference.at);
  const lambdaMs =
    reference.index === params.skipInitials
      ? Math.max(forecast.lambdaMs, at - forecast.startedAt)
      : forecast.lambdaMs;
  const since = params.compat ? last.at : reference.at;
  const alpha = 1 - exp((since - at) / lambdaMs);
  const off = sample - reference.forecast;
  const record: ForecastRecord = {
    at,
    raw: progress,
    forecast: alpha * sample + (1 - alpha) * reference.forecast,
    squaredErrors: reference.squaredErrors + off * off,
    index: reference.index + 1,
  };
  return { startedAt: forecast.startedAt, lambdaMs, last: record, before: reference };
}

/** Dated to the start, with the rate from there to the first reading. */
const firstRecord = ({ startedAt }: Forecast, { at, progress }: Reading): ForecastRecord => ({
  at: startedAt,
  raw: 0,
  forecast: progress / (at - startedAt),
  squaredErrors: 0,
  index: 0,
});
