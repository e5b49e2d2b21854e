import { type ParamsOf, params } from "../../params.ts";

export const FLINK_PARAMS = params({
  /** Milliseconds: slow-task-detector.check-interval, 1,000. */
  checkIntervalMs: { default: 1_000, min: 1, about: "time between two looks (1,000 ms)" },
  /** R: slow-task-detector.execution-time.baseline-ratio, 0.75. */
  baselineRatio: {
    default: 0.75,
    max: 1,
    about: "share of the tasks that must be done, and that the median is taken over (0.75)",
  },
  /** M: slow-task-detector.execution-time.baseline-multiplier, 1.5. */
  baselineMultiplier: { default: 1.5, about: "times that median that make a task slow (1.5)" },
  /** Milliseconds: slow-task-detector.execution-time.baseline-lower-bound, one minute. */
  baselineLowerBoundMs: { default: 60_000, about: "time before any task is slow (60,000 ms)" },
  /** execution.batch.speculative.max-concurrent-executions, 2. */
  maxConcurrentExecutions: {
    default: 2,
    min: 1,
    whole: true,
    about: "attempts of a task at once (2)",
  },
  /** Milliseconds: execution.batch.speculative.block-slow-node-duration, one minute. */
  blockSlowNodeMs: {
    default: 60_000,
    about: "time for which a node with a slow task gets no copies (60,000 ms)",
  },
});

export type FlinkParams = ParamsOf<typeof FLINK_PARAMS>;
