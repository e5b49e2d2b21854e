import type { Instant } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { Ids } from "./ids.ts";
import type { SimPhase } from "./state.ts";

/**
 * Jobs in the order of their arrival, built when they arrive: memory is proportional to the live
 * jobs.
 */
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
