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
import { positiveChance } from "../../../hosts/sim/chance-shape.ts";
import { HEADING } from "../../heading.ts";
import type { Role } from "../logs/phase-log.ts";
import type { SpeedSetup } from "./estimator-error.ts";

export type ProductionPhase = Infer<typeof phase>;
const phase = record("a phase of a job", {
  role: required(oneOf<Role>(["extract", "join", "reduce"])),
  /** Tasks for each task that the job's input makes. */
  tasks: required(positive),
});

export type ProductionJob = Infer<typeof productionJob>;
const productionJob = record("a job", {
  name: required(text),
  bytes: required(positive),
  /** Each reads all phases before it that no phase has read yet. */
  phases: required(list(phase, { min: 1 })),
});

export type ProductionSetup = Infer<typeof production>;
const production = record("the production cluster", {
  jobs: required(list(productionJob, { min: 1 })),
  slots: required(whole({ min: 1 })),
  /** Of a task's data and time, without outliers. */
  bytesPerTask: required(positive),
  medianMs: required(positive),
  /** So often, on average, slots are taken back on a tenth of them, with this share of attempts. */
  evictionMs: required(positive),
  evictionShare: required(number({ min: 0, max: 1 })),
});

export type PreproductionSetup = Infer<typeof preproduction>;
const preproduction = record("the pre-production cluster", {
  jobs: required(whole({ min: 1 })),
  /** Runs of each job, before and after. */
  repeats: required(whole({ min: 1 })),
  /** Share of the outliers that are left on a cluster with little load. */
  outliers: required(number({ min: 0, max: 1 })),
  /** Slots for each one that the job had in the logs. */
  slots: required(number({ min: 1 })),
  phasesMost: required(whole({ min: 1 })),
  tasksMost: required(whole({ min: 1 })),
  /** Share of a phase after which what reads it without a barrier may begin. */
  overlap: required(number({ min: 0, max: 1 })),
});

/** §6.1 and §6.2: four jobs on the production cluster, and 202 on the pre-production one. */
export type ProductionFile = Infer<typeof productionFile>;
export const productionFile = record("an experiment on the production clusters", {
  ...HEADING,
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
