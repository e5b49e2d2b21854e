import { fixedExpiry } from "./detection/fixed-expiry.ts";
import { phaseAware } from "./estimate/phase-aware.ts";
import { progressRate } from "./estimate/progress-rate.ts";
import { hadoopOrder } from "./order/hadoop.ts";
import type {
  DataPolicy,
  DetectionPolicy,
  Estimator,
  SharingPolicy,
  SpeculationPolicy,
  TaskOrder,
} from "./policy.ts";
import { fifo, fifoPlain } from "./sharing/fifo.ts";
import { hadoop, hadoopPaper } from "./speculation/hadoop.ts";
import { late } from "./speculation/late.ts";
import { late021 } from "./speculation/late-0.21.ts";
import { none } from "./speculation/none.ts";

/** A policy and what it does, in a line. */
export interface Row<T> {
  readonly policy: T;
  readonly meaning: string;
}

/** A discipline by the names of its policies. */
export interface NamedDiscipline {
  readonly name: string;
  readonly meaning: string;
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

const row = <T>(policy: T, meaning: string): Row<T> => ({ policy, meaning });

const classic = (name: string, meaning: string): NamedDiscipline => ({
  name,
  meaning,
  sharing: "fifo",
  order: "hadoop",
  speculation: name,
  data: [],
  estimator: "progress-rate",
  detection: "fixed-expiry",
});

/** The table of contents of the field. */
export const REGISTRY: Registry = {
  disciplines: [
    classic("none", "Hadoop without speculation"),
    classic("hadoop", "Hadoop 1.2.1 as its source has it"),
    classic("hadoop-paper", "Hadoop as the LATE paper describes it"),
    classic("late", "LATE as published"),
    classic("late-0.21", "LATE as Hadoop 0.21 has it"),
  ],
  sharing: [
    row(fifo, "the first job first, within Hadoop's limits per heartbeat"),
    row(fifoPlain, "the first job first, every slot filled"),
  ],
  order: [row(hadoopOrder, "what was tried before first, then by index")],
  speculation: [
    row(none, "no copies"),
    row(hadoop, "copies of tasks whose score is 0.2 or more below the mean"),
    row(hadoopPaper, "the same with the paper's threshold and patience"),
    row(
      late,
      "copies of the slow tasks that would end last, on nodes that are not slow, under a cap",
    ),
    row(late021, "the same by means and standard deviations"),
  ],
  // Without one the core follows Hadoop: a lost output is made again at once while somebody needs
  // it.
  data: [],
  estimator: [
    row(progressRate, "what is left, at the average rate so far"),
    row(phaseAware, "what is left of each stage, at that stage's own rate"),
  ],
  detection: [row(fixedExpiry, "lost after a fixed time of silence")],
};
