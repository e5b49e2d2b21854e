export interface SparkParams {
  /** Milliseconds between two looks: spark.speculation.interval, 100. */
  readonly intervalMs: number;
  /** Share of the tasks that must be done: spark.speculation.quantile, 0.75; 0.9 since 4.0. */
  readonly quantile: number;
  /** Of the median duration: spark.speculation.multiplier, 1.5; 3 since 4.0. */
  readonly multiplier: number;
  /** Milliseconds before any task is copied: spark.speculation.minTaskRuntime, 100. */
  readonly minTaskRuntimeMs: number;
  /**
   * Milliseconds after which a task of a phase that fits one executor is copied, whatever is done:
   * spark.speculation.task.duration.threshold, unset (0).
   */
  readonly taskDurationThresholdMs: number;
  /** Slots of one executor: spark.executor.cores / spark.task.cpus, at least 1. */
  readonly executorSlots: number;
  /** Whether tasks that read well are left alone: spark.speculation.efficiency.enabled, true. */
  readonly efficiencyEnabled: boolean;
  /**
   * A task reads badly below this share of the average rate:
   * spark.speculation.efficiency.processRateMultiplier, 0.75.
   */
  readonly processRateMultiplier: number;
  /**
   * Times the threshold from which on a task is copied however well it reads:
   * spark.speculation.efficiency.longRunTaskFactor, 2.
   */
  readonly longRunTaskFactor: number;
}

/** Of Spark 3.5. */
export const SPARK_DEFAULTS: SparkParams = {
  intervalMs: 100,
  quantile: 0.75,
  multiplier: 1.5,
  minTaskRuntimeMs: 100,
  taskDurationThresholdMs: 0,
  executorSlots: 1,
  efficiencyEnabled: true,
  processRateMultiplier: 0.75,
  longRunTaskFactor: 2,
};

export const SPARK_ABOUT = {
  intervalMs: "time between two looks (100 ms)",
  quantile: "share of the tasks that must be done (0.75; 0.9 since Spark 4)",
  multiplier: "times the median duration that make a task slow (1.5; 3 since Spark 4)",
  minTaskRuntimeMs: "time before any task is copied (100 ms)",
  taskDurationThresholdMs: "time after which a task of a small phase is copied; 0: never",
  executorSlots: "tasks of a phase that is small: the slots of one executor (1)",
  efficiencyEnabled: "whether tasks that read their records well are left alone (true)",
  processRateMultiplier: "share of the average rate below which a task reads badly (0.75)",
  longRunTaskFactor: "times the threshold from which on a task is copied in any case (2)",
} as const;
