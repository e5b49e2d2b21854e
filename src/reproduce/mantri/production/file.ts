import {
  list,
  number,
  object,
  oneOf,
  positive,
  required,
  type Shape,
  text,
  whole,
} from "../../../base/shape.ts";
import { positiveChance } from "../../../hosts/sim/chance-shape.ts";
import { HEADING, type Heading } from "../../heading.ts";
import type { Role } from "../logs/phase-log.ts";
import type { SpeedSetup } from "./estimator-error.ts";

/** §6.1 and §6.2: four jobs on the production cluster, and 202 on the pre-production one. */
export interface ProductionFile extends Heading {
  readonly baseline: string;
  readonly mantri: string;
  readonly production: ProductionSetup;
  readonly preproduction: PreproductionSetup;
  readonly speed: SpeedSetup;
}

export interface ProductionSetup {
  readonly jobs: readonly ProductionJob[];
  readonly slots: number;
  /** Of a task's data and time, without outliers. */
  readonly bytesPerTask: number;
  readonly medianMs: number;
  /** So often, on average, slots are taken back on a tenth of them, with this share of attempts. */
  readonly evictionMs: number;
  readonly evictionShare: number;
}

export interface ProductionJob {
  readonly name: string;
  readonly bytes: number;
  /** Each reads all phases before it that no phase has read yet. */
  readonly phases: readonly ProductionPhase[];
}

export interface ProductionPhase {
  readonly role: Role;
  /** Tasks for each task that the job's input makes. */
  readonly tasks: number;
}

export interface PreproductionSetup {
  readonly jobs: number;
  /** Runs of each job, before and after. */
  readonly repeats: number;
  /** Share of the outliers that are left on a cluster with little load. */
  readonly outliers: number;
  /** Slots for each one that the job had in the logs. */
  readonly slots: number;
  readonly phasesMost: number;
  readonly tasksMost: number;
  /** Share of a phase after which what reads it without a barrier may begin. */
  readonly overlap: number;
}

const phase = object<ProductionPhase>("a phase of a job", {
  role: required(oneOf(["extract", "join", "reduce"])),
  tasks: required(positive),
});

const production = object<ProductionSetup>("the production cluster", {
  jobs: required(
    list(
      object<ProductionJob>("a job", {
        name: required(text),
        bytes: required(positive),
        phases: required(list(phase, { min: 1 })),
      }),
      { min: 1 },
    ),
  ),
  slots: required(whole({ min: 1 })),
  bytesPerTask: required(positive),
  medianMs: required(positive),
  evictionMs: required(positive),
  evictionShare: required(number({ min: 0, max: 1 })),
});

const preproduction = object<PreproductionSetup>("the pre-production cluster", {
  jobs: required(whole({ min: 1 })),
  repeats: required(whole({ min: 1 })),
  outliers: required(number({ min: 0, max: 1 })),
  slots: required(number({ min: 1 })),
  phasesMost: required(whole({ min: 1 })),
  tasksMost: required(whole({ min: 1 })),
  overlap: required(number({ min: 0, max: 1 })),
});

export const productionFile: Shape<ProductionFile> = object<ProductionFile>(
  "an experiment on the production clusters",
  {
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
  },
);
