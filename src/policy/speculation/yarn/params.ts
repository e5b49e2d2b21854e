import { type ParamsOf, params } from "../../params.ts";

export const YARN_PARAMS = params({
  /** true: Hadoop's code bug for bug; false: mended. */
  compat: { default: true, about: "whether Hadoop's known errors are kept" },
  /** mapreduce.job.speculative.speculative-cap-running-tasks, 0.1. */
  speculativeCapRunning: {
    default: 0.1,
    max: 1,
    about: "most speculated tasks, as a fraction of the running ones (0.1)",
  },
  /** mapreduce.job.speculative.speculative-cap-total-tasks, 0.01. */
  speculativeCapTotal: {
    default: 0.01,
    max: 1,
    about: "most speculated tasks, as a fraction of all tasks of the phase (0.01)",
  },
  /** mapreduce.job.speculative.minimum-allowed-tasks, 10. */
  minimumAllowedTasks: {
    default: 10,
    whole: true,
    about: "speculated tasks that are always allowed (10)",
  },
  /** Milliseconds: mapreduce.job.speculative.retry-after-no-speculate, 1,000. */
  retryAfterNoSpeculateMs: {
    default: 1_000,
    min: 1,
    about: "time to the next look after one that found nothing (1,000 ms)",
  },
  /** Milliseconds: mapreduce.job.speculative.retry-after-speculate, 15,000. */
  retryAfterSpeculateMs: {
    default: 15_000,
    min: 1,
    about: "time to the next look after a copy (15,000 ms)",
  },
  /** Over the durations of the finished tasks: mapreduce.job.speculative.slowtaskthreshold, 1. */
  slowTaskThreshold: {
    default: 1,
    about: "standard deviations above the mean that make a task slow (1); unused under compat",
  },
});

export type YarnParams = ParamsOf<typeof YARN_PARAMS>;
