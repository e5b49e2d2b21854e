import {
  type Infer,
  list,
  number,
  object,
  oneOf,
  positive,
  record,
  required,
  text,
  whole,
} from "../../../base/shape.ts";
import { positiveChance } from "../../../model/chance-shape.ts";
import type { Role } from "../logs/phase-log.ts";
import type { SpeedSetup } from "./estimator-error.ts";

const phase = record("a phase of a job", {
  role: required(oneOf<Role>(["extract", "join", "reduce"])),
  /** The number of the phase's tasks for each split of the job's input. */
  tasks: required(positive),
});

export type ProductionJob = Infer<typeof productionJob>;
const productionJob = record("a job", {
  name: required(text),
  bytes: required(positive),
  /** Each phase reads all earlier phases that no phase has read yet. */
  phases: required(list(phase, { min: 1 })),
});

export type ProductionSetup = Infer<typeof production>;
const production = record("the production cluster", {
  jobs: required(list(productionJob, { min: 1 })),
  slots: required(whole({ min: 1 })),
  /** The data and time of a task, without outliers. */
  bytesPerTask: required(positive),
  medianMs: required(positive),
  /**
   * The mean time between two evictions, each on a tenth of the nodes, and the share of attempts
   * that an eviction ends.
   */
  evictionMs: required(positive),
  evictionShare: required(number({ min: 0, max: 1 })),
});

export type PreproductionSetup = Infer<typeof preproduction>;
const preproduction = record("the pre-production cluster", {
  jobs: required(whole({ min: 1 })),
  /** Runs of each job, before and after. */
  repeats: required(whole({ min: 1 })),
  /** The share of outliers that remains on a cluster with little load. */
  outliers: required(number({ min: 0, max: 1 })),
  /** Slots per slot that the job had in the logs. */
  slots: required(number({ min: 1 })),
  phasesMost: required(whole({ min: 1 })),
  tasksMost: required(whole({ min: 1 })),
  /** The share of a phase after which its readers without a barrier may begin. */
  overlap: required(number({ min: 0, max: 1 })),
});

/** §6.1 and §6.2: four jobs on the production cluster, and 202 on the pre-production one. */
export type ClustersSetup = Infer<typeof clustersSetup>;
export const clustersSetup = record("a study of the production clusters", {
  baseline: required(text),
  mantri: required(text),
  production: required(production),
  preproduction: required(preproduction),
  speed: required(
    object<SpeedSetup>("how speeds change", {
      factor: required(positiveChance),
      everyMs: required(positiveChance),
    }),
  ),
});
