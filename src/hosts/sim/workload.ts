import type { RandomState } from "../../base/random.ts";
import type { Instant } from "../../model/ids.ts";
import type { Job, Phase } from "../../model/job.ts";
import type { FluidRun } from "./fluid-run.ts";
import type { Ids } from "./ids.ts";
import type { Profile } from "./profile.ts";
import type { MapWork, ReduceWork } from "./scenario.ts";

/** Jobs in the order of their arrival, made when they arrive: memory follows what is live. */
export interface Workload {
  next(): Arrival | undefined;
}

export interface Arrival {
  readonly atMs: number;
  /** Called once, at that time. */
  build(ids: Ids, at: Instant): SimJob;
}

export interface SimJob {
  readonly job: Job;
  readonly phases: readonly SimPhase[];
}

/** What the tasks of a phase do. */
export type PhaseWork =
  | {
      readonly kind: "fixed";
      /** Drawn at launch. */
      profile(attempt: { readonly index: number; readonly ordinal: number }): Profile;
    }
  | { readonly kind: "map"; readonly spec: MapWork; readonly inputBytes: readonly number[] }
  | { readonly kind: "reduce"; readonly spec: ReduceWork; readonly shares: readonly number[] };

/** A phase with what the simulator keeps about it. */
export class SimPhase {
  readonly phase: Phase;
  readonly work: PhaseWork;
  readonly upstream: readonly SimPhase[];
  readonly readers: SimPhase[] = [];
  readonly failureProbability: number;
  /** Streams of its attempts are split from it. */
  readonly stream: RandomState;
  /** Attempts so far, by the task's index. */
  readonly launches: Uint16Array;
  /** Attempts that fetch. */
  readonly fetching = new Set<FluidRun>();

  constructor(made: {
    readonly phase: Phase;
    readonly work: PhaseWork;
    readonly upstream: readonly SimPhase[];
    readonly failureProbability: number;
    readonly stream: RandomState;
  }) {
    this.phase = made.phase;
    this.work = made.work;
    this.upstream = made.upstream;
    this.failureProbability = made.failureProbability;
    this.stream = made.stream;
    this.launches = new Uint16Array(made.phase.tasks.length);
    for (const phase of made.upstream) phase.readers.push(this);
  }
}
