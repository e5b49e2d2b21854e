import { copyOutputs } from "./data/copy-outputs.ts";
import { mantriPlacement } from "./data/mantri-placement.ts";
import { mantriProtect } from "./data/mantri-protect.ts";
import { adaptiveExpiry } from "./detection/adaptive-expiry.ts";
import { fixedExpiry } from "./detection/fixed-expiry.ts";
import { mantriEstimate } from "./estimate/mantri.ts";
import { phaseAware } from "./estimate/phase-aware.ts";
import { progressRate, rateAlone } from "./estimate/progress-rate.ts";
import { yarnExponential, yarnExponentialTime } from "./estimate/yarn/exponential.ts";
import { yarnLegacy } from "./estimate/yarn/legacy.ts";
import { yarnSimpleExponential } from "./estimate/yarn/simple-exponential.ts";
import { hadoopOrder } from "./order/hadoop.ts";
import { largestFirst } from "./order/largest-first.ts";
import { localFailedFirst } from "./order/local-failed-first.ts";
import { localPreempt } from "./order/local-preempt.ts";
import { sparkOrder } from "./order/spark.ts";
import { yarnOrder } from "./order/yarn.ts";
import type {
  DataPolicy,
  DetectionPolicy,
  Estimator,
  SharingPolicy,
  SpeculationPolicy,
  TaskOrder,
} from "./policy.ts";
import { capacity } from "./sharing/capacity.ts";
import { fair } from "./sharing/fair.ts";
import { fifo, fifo018, fifoPlain } from "./sharing/fifo.ts";
import { dryad } from "./speculation/dryad.ts";
import { esplash, esplashPrinted } from "./speculation/esplash.ts";
import { flink } from "./speculation/flink.ts";
import { hadoop, hadoopPaper } from "./speculation/hadoop.ts";
import { late, lateEarly } from "./speculation/late.ts";
import { late021 } from "./speculation/late-0.21.ts";
import { mantri } from "./speculation/mantri.ts";
import { mapreduce } from "./speculation/mapreduce.ts";
import { none } from "./speculation/none.ts";
import { spark4, spark35 } from "./speculation/spark.ts";
import { yarn, yarnCorrected } from "./speculation/yarn.ts";

/** A policy, a line that says what it does, and the page that says more. */
export interface Row<T> {
  readonly policy: T;
  readonly meaning: string;
  /** A path in this repository. */
  readonly page: string;
  /** The file of a policy that a user has written, as given to `--policies`. */
  readonly file?: string;
}

/** A discipline by the names of its policies. */
export interface NamedDiscipline {
  readonly name: string;
  readonly meaning: string;
  /** The paper and section, or the system, in a few words. */
  readonly source?: string;
  readonly sharing: string;
  readonly order: string;
  readonly speculation: string;
  readonly data: readonly string[];
  readonly estimator: string;
  readonly detection: string;
}

/** The policies for each seat, and the disciplines that have a name. */
export interface Registry {
  readonly disciplines: readonly NamedDiscipline[];
  readonly sharing: readonly Row<SharingPolicy>[];
  readonly order: readonly Row<TaskOrder>[];
  readonly speculation: readonly Row<SpeculationPolicy>[];
  readonly data: readonly Row<DataPolicy>[];
  readonly estimator: readonly Row<Estimator>[];
  readonly detection: readonly Row<DetectionPolicy>[];
}

/** The rows of the policies that share a page in docs/papers. */
const on =
  (page: string) =>
  <T>(policy: T, meaning: string): Row<T> => ({ policy, meaning, page: `docs/papers/${page}.md` });

const baselines = on("baselines");
const ofElephant = on("elephant");
const ofEsplash = on("esplash");
const ofFlink = on("flink");
const ofLate = on("late");
const ofMantri = on("mantri");
const ofSpark = on("spark");
const ofYarn = on("yarn");

const classic = (name: string, meaning: string, source: string): NamedDiscipline => ({
  name,
  meaning,
  source,
  sharing: "fifo",
  order: "hadoop",
  speculation: name,
  data: [],
  estimator: "progress-rate",
  detection: "fixed-expiry",
});

/** For slots that are shared out as containers: no limits per heartbeat. */
const container = (name: string, meaning: string, source: string): NamedDiscipline => ({
  ...classic(name, meaning, source),
  sharing: "fifo-plain",
});

/** Mantri is compared with a Cosmos that fills every slot: no padding, no limit per heartbeat. */
const mantriWith = (
  name: string,
  meaning: string,
  parts: Partial<NamedDiscipline>,
): NamedDiscipline => ({
  name,
  meaning,
  sharing: "fifo-plain",
  order: "hadoop",
  speculation: "none",
  data: [],
  estimator: "mantri",
  detection: "fixed-expiry",
  ...parts,
});

/** Every policy and every named discipline. */
export const REGISTRY: Registry = {
  disciplines: [
    classic("none", "no copies of slow tasks", "Hadoop 1.2.1"),
    classic("hadoop", "copies tasks that are 20 % behind the mean", "Hadoop 1.2.1"),
    classic("hadoop-paper", "Hadoop's rule as the LATE paper states it", "LATE, 2.1"),
    classic("late", "copies the task that would end last", "LATE, OSDI 2008"),
    classic("late-0.21", "LATE by means and standard deviations", "Hadoop 0.21"),
    classic("late-early", "LATE that copies while tasks still wait", "Mantri, 6.3"),
    mantriWith("mantri", "restarts, copies, placement, replicas", {
      source: "Mantri, 2010",
      order: "largest-first",
      speculation: "mantri",
      data: ["mantri-placement", "mantri-protect"],
    }),
    mantriWith("mantri-restart", "Mantri's restarts and copies only", {
      source: "Mantri, 5.1",
      speculation: "mantri",
    }),
    mantriWith("mantri-order", "Mantri's order only: most data first", {
      source: "Mantri, 5.4",
      order: "largest-first",
    }),
    mantriWith("mantri-placement", "Mantri's placement of reduces only", {
      source: "Mantri, 5.2",
      data: ["mantri-placement"],
    }),
    mantriWith("mantri-protection", "Mantri's protection of outputs only", {
      source: "Mantri, 5.3",
      data: ["mantri-protect"],
    }),
    classic("mapreduce", "copies all remaining tasks near the end", "Mantri, 7"),
    classic("dryad", "copies tasks beyond the 75th percentile", "Mantri, 7"),
    {
      ...classic("hadoop", "hadoop under the Fair scheduler", "Hadoop 1.2.1"),
      name: "fair",
      sharing: "fair",
    },
    {
      ...classic("hadoop", "hadoop under the Capacity scheduler", "Hadoop 1.2.1"),
      name: "capacity",
      sharing: "capacity",
    },
    {
      ...classic("hadoop", "hadoop, reruns near data, adaptive expiry", "Elephant, 6"),
      name: "elephant-remedy",
      order: "local-failed-first",
      detection: "adaptive-expiry",
    },
    {
      ...classic("hadoop", "elephant-remedy with pre-emption", "Elephant, 6 and 7"),
      name: "elephant-preempt",
      order: "local-preempt",
      detection: "adaptive-expiry",
    },
    {
      ...classic("hadoop", "hadoop, copies outputs read on their node", "Elephant, 6"),
      name: "elephant-copies",
      data: ["copy-outputs"],
    },
    {
      ...container("yarn", "copies the task with the largest gain", "Hadoop 3"),
      estimator: "yarn-legacy",
    },
    {
      ...container("yarn-corrected", "YARN's speculator with its errors mended", "Hadoop 3"),
      estimator: "yarn-legacy",
    },
    container("esplash", "copies tasks from straggler nodes", "eSplash"),
    container("esplash-printed", "eSplash with its sums as printed", "eSplash"),
    container("spark-3.5", "copies tasks beyond 1.5 times the median", "Spark 3.5"),
    container("spark-4", "copies tasks beyond 3 times the median", "Spark 4.0"),
    container("flink", "copies tasks beyond 1.5 times the median", "Flink, FLIP-168"),
  ],
  sharing: [
    ofLate(fifo, "the first job first, within Hadoop's limits per heartbeat"),
    ofLate(fifoPlain, "the first job first, every slot filled"),
    ofLate(fifo018, "the first job first, one task per heartbeat, maps before reduces"),
    ofElephant(fair, "pools by weight, fair within them, waiting a little for data"),
    ofElephant(capacity, "queues with a share each, the first job first, within limits for users"),
  ],
  order: [
    ofElephant(hadoopOrder, "failed and lost tasks first, wherever their data are; then by index"),
    ofElephant(
      localFailedFirst,
      "failed and lost tasks first, but for a while only where their data are; then by index",
    ),
    ofElephant(
      localPreempt,
      "as local-failed-first; kills an attempt beside the data of a failed or short task",
    ),
    ofMantri(largestFirst, "the task with the most data to read first"),
    ofSpark(
      sparkOrder,
      "failed tasks first, then by index; a phase waits a little for slots near its data",
    ),
    ofYarn(
      yarnOrder,
      "failed tasks first; then reduces, as many as done maps allow; then maps, by index",
    ),
  ],
  speculation: [
    baselines(none, "no copies"),
    ofLate(hadoop, "copies of tasks whose score is 0.2 or more below the mean"),
    ofLate(
      hadoopPaper,
      "copies of tasks whose score is over 0.2 below the mean, after a minute of their own",
    ),
    ofLate(
      late,
      "copies of the slow tasks that would end last, on nodes that are not slow, under a cap",
    ),
    baselines(lateEarly, "LATE's copies, also while tasks of the job wait"),
    ofLate(
      late021,
      "LATE's copies, with slow tasks and nodes found by means and standard deviations",
    ),
    ofEsplash(
      esplash,
      "copies of tasks on nodes that lag behind their level, on nodes as fast or faster",
    ),
    ofEsplash(
      esplashPrinted,
      "eSplash's copies, with straggler values summed over tasks and epochs, as printed",
    ),
    ofMantri(mantri, "outliers killed and run again, or copied where that saves work or much time"),
    baselines(mapreduce, "copies of all remaining tasks, once a phase is near its end"),
    baselines(dryad, "copies of tasks that run longer than three quarters of their phase took"),
    ofYarn(yarn, "a copy of the task whose replacement would save most, at most once a second"),
    ofYarn(
      yarnCorrected,
      "a copy of the slow task whose replacement would save most; Hadoop's errors mended",
    ),
    ofSpark(spark35, "copies of tasks that run 1.5 times the median, unless they read efficiently"),
    ofSpark(
      spark4,
      "copies of tasks that run 3 times the median, at 90 % done, unless they read efficiently",
    ),
    ofFlink(flink, "copies of tasks that take 1.5 times the median per byte, away from slow nodes"),
  ],
  // Without a data policy the core follows Hadoop: a lost output is recomputed at once while a
  // reader needs it.
  data: [
    ofMantri(mantriPlacement, "reduces on the racks where the busiest link is done soonest"),
    ofMantri(
      mantriProtect,
      "costly outputs replicated; lost ones recomputed before they are missed",
    ),
    ofElephant(
      copyOutputs,
      "outputs copied in their rack as soon as written, if their reader is on the same node",
    ),
  ],
  estimator: [
    ofLate(progressRate, "the rest, at the average rate so far"),
    ofLate(rateAlone, "the whole task at its rate: LATE then copies the slowest first"),
    ofLate(phaseAware, "the rest of each stage, at that stage's own rate"),
    ofMantri(mantriEstimate, "the rest to read, and new copies by process rate and place"),
    ofYarn(yarnLegacy, "the average rate as of the last report, as in YARN"),
    ofYarn(yarnExponential, "YARN's exponentially smoothed progress per time"),
    ofYarn(yarnExponentialTime, "YARN's exponentially smoothed time per progress"),
    ofYarn(yarnSimpleExponential, "YARN's forecast of the rate of progress"),
  ],
  detection: [
    ofElephant(fixedExpiry, "lost after a fixed time of silence"),
    ofElephant(adaptiveExpiry, "lost after a time that depends on the rest of the live jobs"),
  ],
};
