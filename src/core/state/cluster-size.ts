import type { NodeRecord } from "./node-record.ts";
import type { JobRecord } from "./records.ts";
import type { State } from "./state.ts";

/**
 * Hadoop 1.2.1, JobInProgress.findNewMapTask: at each offer of a slot a job notes how many nodes
 * there are ("update the last-known clusterSize"), whether it has a use for the slot or not. The
 * core skips offers that no job can use; such an offer tells all jobs, if the number has changed.
 */
export function tellClusterSize(state: State, node: NodeRecord): void {
  if (!state.hasNewSize || state.kinds.every((kind) => node.free(kind) === 0)) return;
  for (const job of state.jobs.values()) noteClusterSize(state, job);
  state.hasNewSize = false;
}

export function noteClusterSize({ joined }: State, job: JobRecord): void {
  if (job.admittedAt !== undefined) job.nodesKnown = joined;
}

export function changeClusterSize(state: State, change: 1 | -1): void {
  state.joined += change;
  state.hasNewSize = true;
}
