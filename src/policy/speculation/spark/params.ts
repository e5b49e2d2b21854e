import { type ParamsOf, params } from "../../params.ts";

/** The defaults of Spark 3.5. */
export const SPARK_PARAMS = params({
  /** Milliseconds: spark.speculation.interval, 100. */
  intervalMs: { default: 100, min: 1, about: "time between two looks (100 ms)" },
  /** spark.speculation.quantile, 0.75; 0.9 since 4.0. */
  quantile: {
    default: 0.75,
    max: 1,
    about: "share of the tasks that must be done (0.75; 0.9 since Spark 4)",
  },
  /** spark.speculation.multiplier, 1.5; 3 since 4.0. */
  multiplier: {
    default: 1.5,
    about: "times the median duration that make a task slow (1.5; 3 since Spark 4)",
  },
  /** Milliseconds: spark.speculation.minTaskRuntime, 100. */
  minTaskRuntimeMs: { default: 100, about: "time before any task is copied (100 ms)" },
  /**
   * Milliseconds, for a phase that fits one executor, however many tasks are done:
   * spark.speculation.task.duration.threshold, unset (0).
   */
  taskDurationThresholdMs: {
    default: 0,
    about: "time after which a task of a small phase is copied; 0: never",
  },
  /** spark.executor.cores / spark.task.cpus, at least 1. */
  executorSlots: {
    default: 1,
    min: 1,
    whole: true,
    about: "tasks of a phase that is small: the slots of one executor (1)",
  },
  /** spark.speculation.efficiency.enabled, true. */
  efficiencyEnabled: {
    default: true,
    about: "whether efficient tasks are left alone (true)",
  },
  /** spark.speculation.efficiency.processRateMultiplier, 0.75. */
  processRateMultiplier: {
    default: 0.75,
    max: 1,
    about: "share of the average rate below which a task is not efficient (0.75)",
  },
  /** spark.speculation.efficiency.longRunTaskFactor, 2: beyond it, efficiency does not matter. */
  longRunTaskFactor: {
    default: 2,
    min: 1,
    about: "times the threshold from which on a task is copied in any case (2)",
  },
});

export type SparkParams = ParamsOf<typeof SPARK_PARAMS>;
