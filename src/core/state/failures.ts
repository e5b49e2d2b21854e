import type { SlotCounts } from "../../model/cluster.ts";
import type { NodeId } from "../../model/ids.ts";
import type { NodeRecord } from "./node-record.ts";
import type { JobRecord, TaskRecord } from "./records.ts";
import type { State } from "./state.ts";

/**
 * Hadoop 1.2.1, mapred.max.tracker.failures: the failures of a job on a node that close the node to
 * the job.
 */
const NODE_FAILURES_MAX = 4;
/**
 * Hadoop 1.2.1 (JobInProgress.CLUSTER_BLACKLIST_PERCENT): once this share of the nodes is flaky, no
 * node is closed.
 */
const FLAKY_SHARE_MAX = 0.25;

/** Counts a failure, which may end the job or close the node to it. */
export function countFailure(task: TaskRecord, node: NodeRecord): void {
  const mishaps = task.ensureMishaps();
  mishaps.failures++;
  const { failedOn } = mishaps;
  if (!failedOn.includes(node.id)) mishaps.failedOn = [...failedOn, node.id];
  countAgainst(node, task.phase.job);
}

/**
 * Counts a failure towards closing the node to the job. Hadoop 1.2.1
 * (JobInProgress.addTrackerTaskFailure): no failure counts while a quarter of the nodes that the
 * job knows (clusterSize) are flaky.
 */
export function countAgainst(node: NodeRecord, job: JobRecord): void {
  if (!holdsBlacklist(job, job.nodesKnown)) return;
  const failures = (job.failures.get(node.id) ?? 0) + 1;
  job.failures.set(node.id, failures);
  if (failures >= NODE_FAILURES_MAX) job.flaky.add(node.id);
}

/**
 * Whether the node is on the job's own blacklist: the job has failed there too often to be launched
 * there again.
 */
export function isClosed(state: State, job: JobRecord, node: NodeId): boolean {
  if (job.flaky.size === 0 || !job.flaky.has(node)) return false;
  if (!holdsBlacklist(job, state.joined)) return false;
  return othersHaveSlots(state, job, node);
}

/**
 * Ours: whether open nodes have slots of each kind that the node has. Where only closed nodes have
 * slots of a kind, a job in Hadoop waits for ever.
 */
function othersHaveSlots({ load, nodes }: State, { flaky }: JobRecord, node: NodeId): boolean {
  const slotsOn = (id: NodeId): SlotCounts =>
    nodes[id]?.joined === true ? nodes[id].node.slots : [];
  return slotsOn(node).every(({ kind, count }) => {
    if (count === 0) return true;
    let open = load[kind]!.slots;
    for (const id of flaky) {
      for (const slots of slotsOn(id)) if (slots.kind === kind) open -= slots.count;
    }
    return open > 0;
  });
}

const holdsBlacklist = ({ flaky }: JobRecord, nodes: number): boolean =>
  flaky.size < FLAKY_SHARE_MAX * nodes;
