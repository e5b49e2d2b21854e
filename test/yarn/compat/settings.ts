import { pick, type RandomState } from "../../../src/base/random.ts";
import { parseDiscipline } from "../../../src/policy/discipline.ts";
import type { Discipline } from "../../../src/policy/policy.ts";

/** One choice of parameters, in each side's form. */
export interface Settings {
  readonly discipline: Discipline;
  /** Hadoop's: a class in org.apache.hadoop.mapreduce.v2.app.speculate, and its configuration. */
  readonly estimator: string;
  readonly conf: ReadonlyMap<string, string>;
  /** Whether the sequence is on a clock of whole seconds, with few speeds. */
  readonly isCoarse: boolean;
}

/** A parameter's name here and in Hadoop, and the values to draw from. */
type Parameter = readonly [ours: string, hadoop: string, values: readonly number[]];

const SPECULATIVE = "mapreduce.job.speculative";
const SPECULATION: readonly Parameter[] = [
  ["speculation.minimumAllowedTasks", `${SPECULATIVE}.minimum-allowed-tasks`, [1, 2, 5, 10]],
  [
    "speculation.speculativeCapRunning",
    `${SPECULATIVE}.speculative-cap-running-tasks`,
    [0.1, 0.1, 0.4],
  ],
  [
    "speculation.speculativeCapTotal",
    `${SPECULATIVE}.speculative-cap-total-tasks`,
    [0.01, 0.01, 0.2],
  ],
  [
    "speculation.retryAfterNoSpeculateMs",
    `${SPECULATIVE}.retry-after-no-speculate`,
    [500, 1_000, 3_000],
  ],
  [
    "speculation.retryAfterSpeculateMs",
    `${SPECULATIVE}.retry-after-speculate`,
    [1_000, 5_000, 15_000],
  ],
];

const EXPONENTIAL = "yarn.app.mapreduce.am.job.task.estimator.exponential.smooth";
const SIMPLE = "yarn.app.mapreduce.am.job.task.estimator.simple.exponential.smooth";
const LAMBDAS_MS = [10_000, 60_000, 120_000];

interface EstimatorOfHadoop {
  readonly class: string;
  readonly parameters: readonly Parameter[];
  readonly conf: readonly (readonly [key: string, value: string])[];
}

/** Our YARN estimators, with the classes that they follow. */
const ESTIMATORS_OF_HADOOP = {
  "yarn-legacy": { class: "LegacyTaskRuntimeEstimator", parameters: [], conf: [] },
  "yarn-exponential": {
    class: "ExponentiallySmoothedTaskRuntimeEstimator",
    parameters: [["estimator.lambdaMs", `${EXPONENTIAL}.lambda-ms`, LAMBDAS_MS]],
    conf: [],
  },
  "yarn-exponential-time": {
    class: "ExponentiallySmoothedTaskRuntimeEstimator",
    parameters: [["estimator.lambdaMs", `${EXPONENTIAL}.lambda-ms`, LAMBDAS_MS]],
    conf: [[`${EXPONENTIAL}.rate`, "false"]],
  },
  "yarn-simple-exponential": {
    class: "SimpleExponentialTaskRuntimeEstimator",
    parameters: [
      ["estimator.lambdaMs", `${SIMPLE}.lambda-ms`, LAMBDAS_MS],
      ["estimator.skipInitials", `${SIMPLE}.skip-initials`, [1, 3, 24]],
      ["estimator.stagnatedMs", `${SIMPLE}.stagnated-ms`, [30_000, 360_000]],
    ],
    conf: [],
  },
} as const satisfies Record<string, EstimatorOfHadoop>;

export type EstimatorName = keyof typeof ESTIMATORS_OF_HADOOP;
export const ESTIMATORS: readonly EstimatorName[] = [
  "yarn-legacy",
  "yarn-exponential",
  "yarn-exponential-time",
  "yarn-simple-exponential",
];

/** Around Hadoop's defaults, so that caps bind and estimators forget at various speeds. */
export function drawSettings(
  dice: RandomState,
  ours: {
    readonly policy: string;
    readonly estimator: EstimatorName;
    readonly isCoarse: boolean;
  },
): Settings {
  const hadoop: EstimatorOfHadoop = ESTIMATORS_OF_HADOOP[ours.estimator];
  const sets: string[] = [];
  const conf = new Map(hadoop.conf);
  for (const [name, key, values] of [...SPECULATION, ...hadoop.parameters]) {
    const value = pick(dice, values);
    sets.push(`${name}=${value}`);
    conf.set(key, String(value));
  }
  const discipline = parseDiscipline(`${ours.policy},estimator=${ours.estimator}`, sets);
  return { discipline, estimator: hadoop.class, conf, isCoarse: ours.isCoarse };
}
