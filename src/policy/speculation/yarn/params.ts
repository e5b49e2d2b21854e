export interface YarnParams {
  /** true: Hadoop's code bug for bug; false: mended. */
  readonly compat: boolean;
  /** mapreduce.job.speculative.speculative-cap-running-tasks, 0.1. */
  readonly speculativeCapRunning: number;
  /** mapreduce.job.speculative.speculative-cap-total-tasks, 0.01. */
  readonly speculativeCapTotal: number;
  /** Copies that are always allowed: mapreduce.job.speculative.minimum-allowed-tasks, 10. */
  readonly minimumAllowedTasks: number;
  /** Milliseconds: mapreduce.job.speculative.retry-after-no-speculate, 1,000. */
  readonly retryAfterNoSpeculateMs: number;
  /** Milliseconds: mapreduce.job.speculative.retry-after-speculate, 15,000. */
  readonly retryAfterSpeculateMs: number;
  /**
   * Standard deviations above the mean duration of the finished tasks from which on a task is slow:
   * mapreduce.job.speculative.slowtaskthreshold, 1. Under `compat` it decides nothing.
   */
  readonly slowTaskThreshold: number;
}

export const YARN_DEFAULTS: YarnParams = {
  compat: true,
  speculativeCapRunning: 0.1,
  speculativeCapTotal: 0.01,
  minimumAllowedTasks: 10,
  retryAfterNoSpeculateMs: 1_000,
  retryAfterSpeculateMs: 15_000,
  slowTaskThreshold: 1,
};

export const YARN_ABOUT = {
  compat: "whether Hadoop's known errors are kept",
  speculativeCapRunning: "most speculated tasks, as a fraction of the running ones (0.1)",
  speculativeCapTotal: "most speculated tasks, as a fraction of all tasks of the phase (0.01)",
  minimumAllowedTasks: "speculated tasks that are always allowed (10)",
  retryAfterNoSpeculateMs: "time to the next look after one that found nothing (1,000 ms)",
  retryAfterSpeculateMs: "time to the next look after a copy (15,000 ms)",
  slowTaskThreshold:
    "standard deviations above the mean that make a task slow (1); unused under compat",
} as const;
