import { LONG_MIN, toLong, wrapLong } from "../../../base/long.ts";
import { exp } from "../../../base/math.ts";
import { meanOf } from "../../../base/moments.ts";
import type { Instant } from "../../../model/ids.ts";
import { type ParamsOf, params, withDefaults } from "../../params.ts";
import type { Estimator } from "../../policy.ts";
import type { Reading } from "./readings.ts";
import { type Memory, type Model, SMOOTHED_PARAMS, startEndTimes } from "./start-end-times.ts";

const PARAMS = params({
  ...SMOOTHED_PARAMS,
  /** λ in ms: yarn.app.mapreduce.am.job.task.estimator.exponential.smooth.lambda-ms, 60,000. */
  lambdaMs: { default: 60_000, min: 1, about: "time constant of the smoothing (60,000 ms)" },
  /** ...smooth.rate, true. */
  rate: {
    default: true,
    about: "whether progress per time is smoothed, or time per progress (true)",
  },
});

export type ExponentialParams = ParamsOf<typeof PARAMS>;

/** EstimateVector. */
interface Vector {
  /** Smoothed rate per ms, or its inverse; negative while there is none. */
  readonly value: number;
  readonly progress: number;
  /** A Java long: the first vector is dated to the smallest one. */
  readonly at: bigint;
}

interface State {
  readonly startedAt: Instant;
  readonly vector: Vector | undefined;
}

export const exponentialModel: Model<ExponentialParams, State> = {
  begin(params, startedAt) {
    // Mended: the attempt had no progress at its start.
    const vector = { value: -1, progress: 0, at: BigInt(Math.trunc(startedAt)) };
    return { startedAt, vector: params.compat ? undefined : vector };
  },

  read(params, { startedAt, vector }, reading) {
    // incorporateReading: the first report only creates a vector, and its progress is lost. Hadoop
    // dates that vector to Long.MIN_VALUE, so that the time to the next report overflows 64 bits.
    if (vector === undefined)
      return { startedAt, vector: { value: -1, progress: 0, at: LONG_MIN } };
    return { startedAt, vector: incorporate(params, vector, reading) };
  },

  end(params, { vector }) {
    // estimatedRuntime, with the start added: the time run, and the rest at the smoothed rate.
    if (vector === undefined) return undefined;
    const { value, progress, at } = vector;
    if (!params.compat && value < 0) return undefined;
    const rate = params.rate ? value : 1 / value;
    // Hadoop has no estimate for an attempt that makes no progress, and so assumes that it runs
    // well.
    if (value === 0 || rate === 0) return params.compat ? undefined : Number.POSITIVE_INFINITY;
    const left = (1 - progress) / rate;
    return params.compat ? Number(wrapLong(at + toLong(left))) : Number(at) + Math.trunc(left);
  },

  newCopyMs: (_, durations) => meanOf(durations),
};

const PROGRESS_MIN = 0.0001;

/** EstimateVector.incorporate. */
function incorporate(params: ExponentialParams, vector: Vector, reading: Reading): Vector {
  const { value, progress, at } = vector;
  const readAt = BigInt(Math.trunc(reading.at));
  if (readAt <= at || reading.progress < progress) return vector;
  const sinceMs = Number(wrapLong(readAt - at));
  // e to the power of +Δt/λ is above 1: the older a value is, the more it counts, and the new value
  // counts against itself.
  const power = params.compat ? sinceMs / params.lambdaMs : -sinceMs / params.lambdaMs;
  const weight = value < 0 ? 0 : exp(power);
  // Hadoop divides floats.
  const made = Math.fround(reading.progress - progress);
  // Mended: an attempt that makes no progress takes long, not for ever, or later progress would go
  // unseen.
  const seen = params.compat || params.rate ? made : Math.max(PROGRESS_MIN, made);
  const perMs = Math.fround(seen / Math.fround(sinceMs));
  const newValue = params.rate ? perMs : 1 / perMs;
  return {
    value: value * weight + newValue * (1 - weight),
    progress: reading.progress,
    at: readAt,
  };
}

/** Time left at the exponentially smoothed rate of progress. */
export const yarnExponential: Estimator<ExponentialParams, Memory<State>> = {
  ...startEndTimes(exponentialModel),
  name: "yarn-exponential",
  source: "Hadoop 3, ExponentiallySmoothedTaskRuntimeEstimator",
  params: PARAMS,
};

/** The same estimator in the mode TIME_PER_UNIT_PROGRESS. */
export const yarnExponentialTime: Estimator<ExponentialParams, Memory<State>> = {
  ...yarnExponential,
  name: "yarn-exponential-time",
  source: "Hadoop 3, ExponentiallySmoothedTaskRuntimeEstimator, TIME_PER_UNIT_PROGRESS",
  params: withDefaults(PARAMS, { rate: false }),
};
