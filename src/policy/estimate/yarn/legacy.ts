import { meanOf } from "../../../base/moments.ts";
import type { Instant } from "../../../model/ids.ts";
import type { Estimator } from "../../policy.ts";
import {
  BASE_PARAMS,
  type BaseParams,
  type Memory,
  type Model,
  startEndTimes,
} from "./start-end-times.ts";

interface State {
  readonly startedAt: Instant;
  /** undefined before the first report. */
  readonly runtimeMs: number | undefined;
}

/** A smaller progress counts as this much. */
const PROGRESS_MIN = 0.0001;

export const legacyModel: Model<BaseParams, State> = {
  begin: (_, startedAt) => ({ startedAt, runtimeMs: undefined }),

  read(_, { startedAt }, { at, progress }) {
    // updateAttempt: the time run over the progress made, in whole milliseconds. The time is that
    // of the report, so the estimate stays unchanged between reports.
    if (at <= startedAt) return { startedAt, runtimeMs: undefined };
    const runtimeMs = Math.trunc((at - startedAt) / Math.max(PROGRESS_MIN, progress));
    return { startedAt, runtimeMs };
  },

  end: (_, { startedAt, runtimeMs }) =>
    runtimeMs === undefined ? undefined : startedAt + runtimeMs,

  // StartEndTimesBase.estimatedNewAttemptRuntime.
  newCopyMs: (_, durations) => meanOf(durations),
};

/** Time left at the average speed so far, as of the last report. */
export const yarnLegacy: Estimator<BaseParams, Memory<State>> = {
  ...startEndTimes(legacyModel),
  name: "yarn-legacy",
  source: "Hadoop 3, LegacyTaskRuntimeEstimator, StartEndTimesBase",
  params: BASE_PARAMS,
};
