import { describe, expect, test } from "vitest";
import { defaultsOf, type Policy } from "./policy.ts";
import { REGISTRY, type Row } from "./registry.ts";

/**
 * The default of each parameter, written by hand from the paper, from the source, or from the page
 * where ours is argued; never from the policy. `source` is where the values stand.
 */
interface Published {
  readonly source: string;
  readonly defaults: object;
}

const NEVER = Number.POSITIVE_INFINITY;
const MINUTE = 60_000;

const HADOOP = { gap: 0.2, lagMs: MINUTE };
const LATE = {
  speculativeCap: 0.1,
  slowNodeThreshold: 25,
  slowTaskThreshold: 25,
  runtimeMsMin: MINUTE,
  copiesMax: 1,
  nearerWithin: 0,
};
const YARN = {
  speculativeCapRunning: 0.1,
  speculativeCapTotal: 0.01,
  minimumAllowedTasks: 10,
  retryAfterNoSpeculateMs: 1_000,
  retryAfterSpeculateMs: 15_000,
  slowTaskThreshold: 1,
};
const ESPLASH = {
  levels: "",
  k: 4,
  coverage: 0.75,
  clusterEveryMs: MINUTE,
  newNodesAreLowest: true,
  epochMs: 15_000,
  timeCoefficient: 1,
  rateCoefficient: 1,
  requestPatienceMs: 15_000,
  bestContainer: true,
  whileTasksWait: false,
  retryAfterNoCopyMs: 1_000,
  retryAfterCopyMs: 15_000,
};
const SPARK = {
  intervalMs: 100,
  minTaskRuntimeMs: 100,
  taskDurationThresholdMs: 0,
  executorSlots: 1,
  efficiencyEnabled: true,
  processRateMultiplier: 0.75,
  longRunTaskFactor: 2,
};
const PADDING = { padding: 0.01, paddingNodesMin: 3 };
const REPORTS = { periodMs: 10_000, periodsPerLife: 10 };

const PUBLISHED: { readonly [seat: string]: { readonly [policy: string]: Published } } = {
  sharing: {
    fifo: {
      source: "Hadoop 1.2.1, JobQueueTaskScheduler, padfraction",
      defaults: { ...PADDING, loadFactor: true, farMax: 1, reducesMax: 1 },
    },
    "fifo-plain": {
      source: "docs/papers/late.md: a queue without Hadoop's limits",
      defaults: { ...PADDING, padding: 0, loadFactor: false, farMax: NEVER, reducesMax: NEVER },
    },
    "fifo-0.18": {
      source: "Hadoop 0.18, JobTracker.getNewTaskForTaskTracker, padFraction",
      defaults: { ...PADDING, loadFactor: true },
    },
    fair: {
      source: "Hadoop 1.2.1, fair_scheduler.xml; docs/papers/elephant.md",
      defaults: {
        ...{ pools: "", users: "", userPools: true, fairWithinPools: true },
        ...{ userMaxJobs: NEVER, poolMaxJobs: NEVER, sizeBasedWeight: false },
        ...{ adjustMinShares: true, assignMultiple: true, mapsMax: NEVER, reducesMax: NEVER },
        ...{ loadMaxDiff: 0, loadCountsOffer: true, automaticLocalityDelay: true },
        ...{ localityDelayNodeMs: 15_000, localityDelayRackMs: 15_000, preemption: false },
        ...{ preemptionIntervalMs: 15_000, updateMs: 500 },
        ...{ minSharePreemptionTimeoutMs: NEVER, fairSharePreemptionTimeoutMs: NEVER },
      },
    },
    capacity: {
      source: "Hadoop 1.2.1, capacity-scheduler.xml; docs/papers/elephant.md",
      defaults: {
        ...{ queues: "default:capacity=100", maximumSystemJobs: 5_000 },
        ...{ minimumUserLimitPercent: 100, userLimitFactor: 1, supportsPriority: false },
        ...{ maximumActiveTasks: 200_000, maximumActiveTasksPerUser: 100_000 },
        ...{ localityWaitFactor: 1, farMax: 1, mapsMax: 32_767, reducesMax: 1 },
      },
    },
  },
  order: {
    hadoop: { source: "Hadoop 1.2.1", defaults: {} },
    "local-failed-first": { source: "docs/papers/elephant.md", defaults: { waitMs: 15_000 } },
    "local-preempt": {
      source: "docs/papers/elephant.md",
      defaults: { waitMs: 15_000, worth: 1, shortShare: 0.25, yieldsMax: 1, lookMs: 3_000 },
    },
    "largest-first": { source: "Mantri §5.4", defaults: {} },
    spark: {
      source: "Spark 3.1, spark.locality.wait",
      defaults: { nodeWaitMs: 3_000, rackWaitMs: 3_000, resetsOnLaunch: false },
    },
    yarn: { source: "Hadoop 3, mapred-default.xml", defaults: { rampUpLimit: 0.5 } },
  },
  speculation: {
    none: { source: "docs/papers/baselines.md", defaults: {} },
    hadoop: {
      source: "Hadoop 1.2.1, TaskInProgress.hasSpeculativeTask",
      defaults: { ...HADOOP, lagFromAdmission: true, lostCountsAsDone: true, strict: false },
    },
    "hadoop-paper": {
      source: "LATE §2.1",
      defaults: { ...HADOOP, lagFromAdmission: false, lostCountsAsDone: false, strict: true },
    },
    late: { source: "LATE §4", defaults: LATE },
    "late-early": { source: "LATE §4, Mantri §6.3", defaults: LATE },
    "late-0.21": {
      source: "Hadoop 0.21, JobInProgress (HADOOP-2141)",
      defaults: {
        ...{ speculativeCap: 0.1, copiesMin: 10, slotsShareMin: 0.01 },
        ...{ slowNodeThreshold: 1, slowTaskThreshold: 1, lagMs: MINUTE },
      },
    },
    esplash: {
      source: "eSplash §IV to §VI, and docs/papers/esplash.md for what it leaves open",
      defaults: {
        ...{ ...ESPLASH, starts: 16, scaled: true, tau: 3, averaged: true, othersOnly: true },
        ...{ accumulates: false, judgesFinished: true, deviationMin: 0.3 },
      },
    },
    "esplash-printed": {
      source: "eSplash §IV-A and §IV-B, as printed",
      defaults: {
        ...{ ...ESPLASH, starts: 1, scaled: false, tau: 100, averaged: false, othersOnly: false },
        ...{ accumulates: true, judgesFinished: false, deviationMin: 0.001 },
      },
    },
    mantri: {
      source: "Mantri §5 and §5.1",
      defaults: {
        ...{ ...REPORTS, alpha: 2, gamma: 3, delta: 0.25, rho: 3 },
        ...{ stablePeriods: 2, restartTakesSlot: true },
      },
    },
    mapreduce: { source: "docs/papers/baselines.md", defaults: { doneShareMin: 0.95 } },
    dryad: {
      source: "Mantri §7; docs/papers/baselines.md",
      defaults: { durationPercentile: 75, doneShareMin: 0.5, samplesMax: 1_000 },
    },
    yarn: { source: "Hadoop 3, mapred-default.xml", defaults: { ...YARN, compat: true } },
    "yarn-corrected": {
      source: "Hadoop 3, mapred-default.xml",
      defaults: { ...YARN, compat: false },
    },
    "spark-3.5": {
      source: "Spark 3.5, spark.speculation",
      defaults: { ...SPARK, quantile: 0.75, multiplier: 1.5 },
    },
    "spark-4": {
      source: "Spark 4.0, spark.speculation",
      defaults: { ...SPARK, quantile: 0.9, multiplier: 3 },
    },
    flink: {
      source: "Flink, slow-task-detector and execution.batch.speculative",
      defaults: {
        ...{ checkIntervalMs: 1_000, baselineRatio: 0.75, baselineMultiplier: 1.5 },
        ...{ baselineLowerBoundMs: MINUTE, maxConcurrentExecutions: 2, blockSlowNodeMs: MINUTE },
      },
    },
  },
  data: {
    "mantri-placement": {
      source: "Mantri §5.2; docs/papers/mantri.md",
      defaults: { startMsMax: MINUTE, exactPlacementsMax: 50_000 },
    },
    "mantri-protect": {
      source: "Mantri §5.3 and §6.5; docs/papers/mantri.md",
      defaults: {
        ...{ replicationBudget: 0.1, rackBytesPerMs: 125_000, lossProbability: 0.0001 },
        // A week.
        ...{ lossMemoryMs: 7 * 24 * 60 * MINUTE, recomputeBudget: 0.1, recomputesMin: 1 },
        onsetMs: 10 * MINUTE,
      },
    },
    "copy-outputs": {
      source: "docs/papers/elephant.md",
      defaults: { selective: true, sameRack: true },
    },
  },
  estimator: {
    "progress-rate": { source: "docs/papers/late.md", defaults: { samplesMax: 1_000 } },
    "rate-alone": { source: "docs/papers/late.md", defaults: { samplesMax: 1_000 } },
    "phase-aware": { source: "docs/papers/late.md", defaults: { samplesMax: 1_000 } },
    mantri: {
      source: "Mantri §5 and §5.5; docs/papers/mantri.md",
      defaults: { ...REPORTS, windowPeriods: 5, samplesMax: 200, machineAttempts: 20 },
    },
    "yarn-legacy": { source: "Hadoop 3, MRJobConfig", defaults: { reportMs: 3_000 } },
    "yarn-exponential": {
      source: "Hadoop 3, MRJobConfig",
      defaults: { compat: true, reportMs: 3_000, lambdaMs: MINUTE, rate: true },
    },
    "yarn-exponential-time": {
      source: "Hadoop 3, MRJobConfig",
      defaults: { compat: true, reportMs: 3_000, lambdaMs: MINUTE, rate: false },
    },
    "yarn-simple-exponential": {
      source: "Hadoop 3, MRJobConfig",
      defaults: {
        ...{ compat: true, reportMs: 3_000, lambdaMs: 2 * MINUTE },
        ...{ stagnatedMs: 6 * MINUTE, skipInitials: 24 },
      },
    },
  },
  detection: {
    "fixed-expiry": {
      source: "Hadoop 1.2.1, tasktracker.expiry.interval",
      defaults: { expiryMs: 10 * MINUTE, checkEveryMs: 0, drawsFirstLook: false },
    },
    "adaptive-expiry": {
      source: "docs/papers/elephant.md",
      defaults: { share: 0.2, expiryMs: 10 * MINUTE, expiryMsMin: 30_000 },
    },
  },
};

const { disciplines: _, ...SEATED } = REGISTRY;

describe.each(Object.entries(SEATED))(
  "%s",
  (seat, rows: readonly Row<Policy<object, unknown>>[]) => {
    const published = PUBLISHED[seat] ?? {};

    test("all policies are listed here", () => {
      expect(Object.keys(published).sort()).toEqual(rows.map(({ policy }) => policy.name).sort());
    });

    test.each(rows)("$policy.name has the defaults of its source", ({ policy }) => {
      const { defaults, source } = published[policy.name] ?? { defaults: {}, source: "none" };
      expect(defaultsOf(policy), source).toEqual(defaults);
    });
  },
);
