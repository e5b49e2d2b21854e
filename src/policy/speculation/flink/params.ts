export interface FlinkParams {
  /** Milliseconds between two looks: slow-task-detector.check-interval, 1,000. */
  readonly checkIntervalMs: number;
  /**
   * R: share of the tasks that must be done, and of which the median is taken:
   * slow-task-detector.execution-time.baseline-ratio, 0.75.
   */
  readonly baselineRatio: number;
  /** M: of that median: slow-task-detector.execution-time.baseline-multiplier, 1.5. */
  readonly baselineMultiplier: number;
  /**
   * Milliseconds before any task is slow: slow-task-detector.execution-time.baseline-lower-bound,
   * one minute.
   */
  readonly baselineLowerBoundMs: number;
  /** Of one task: execution.batch.speculative.max-concurrent-executions, 2. */
  readonly maxConcurrentExecutions: number;
  /**
   * Milliseconds for which a node with a slow task gets nothing new:
   * execution.batch.speculative.block-slow-node-duration, one minute.
   */
  readonly blockSlowNodeMs: number;
}

export const FLINK_DEFAULTS: FlinkParams = {
  checkIntervalMs: 1_000,
  baselineRatio: 0.75,
  baselineMultiplier: 1.5,
  baselineLowerBoundMs: 60_000,
  maxConcurrentExecutions: 2,
  blockSlowNodeMs: 60_000,
};

export const FLINK_ABOUT = {
  checkIntervalMs: "time between two looks (1,000 ms)",
  baselineRatio: "share of the tasks that must be done, and of which the median is taken (0.75)",
  baselineMultiplier: "times that median that make a task slow (1.5)",
  baselineLowerBoundMs: "time before any task is slow (60,000 ms)",
  maxConcurrentExecutions: "attempts of a task at once (2)",
  blockSlowNodeMs: "time for which a node with a slow task gets no copies (60,000 ms)",
} as const;
