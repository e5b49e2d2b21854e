import { defined } from "../../../base/assert.ts";
import type { Instant, JobId, NodeId, SlotKind } from "../../../model/ids.ts";
import type { Job, Locality } from "../../../model/job.ts";
import type { View } from "../../../model/view.ts";
import { dequeue, enqueue, type JobQueue } from "../../shared/job-queue.ts";
import { isMap } from "../../shared/slots.ts";
import { type Allocations, poolNamed, readPools, readUsers } from "./pools.ts";

/** The memory of Fair. */
export interface FairMemory {
  /** Read from the parameters at the first job. */
  allocations: Allocations | undefined;
  /** Pools with live jobs, by name. */
  readonly pools: Map<string, PoolMemory>;
  readonly jobs: Map<JobId, FairJobMemory>;
  /** Nodes that have joined and are not lost: Hadoop's heartbeats are rarer with more nodes. */
  readonly nodes: Set<NodeId>;
  /** When pre-emption was last considered. */
  checkedAt: Instant | undefined;
}

export interface PoolMemory {
  /** By priority, submission and id. */
  readonly jobs: JobQueue;
  /** Per slot kind: when the pool last had its minimum share, and half of its fair share. */
  readonly atMinShare: Instant[];
  readonly atHalfShare: Instant[];
}

export interface FairJobMemory {
  readonly pool: string;
  /** Per slot kind, whether a task waits. */
  readonly waits: boolean[];
  /**
   * Maps without a place that were never launched: a job with such maps does not wait for locality.
   */
  unplaced: number;
  /**
   * For delay scheduling: the job's last map, its locality, and since when the job has declined
   * slots.
   */
  lastMap: { readonly at: Instant; readonly node: NodeId } | undefined;
  level: Locality;
  declinesSince: Instant | undefined;
}

export const emptyMemory = (): FairMemory => ({
  allocations: undefined,
  pools: new Map(),
  jobs: new Map(),
  nodes: new Set(),
  checkedAt: undefined,
});

interface Texts {
  readonly pools: string;
  readonly users: string;
}

export function allocationsOf(memory: FairMemory, params: Texts): Allocations {
  memory.allocations ??= { pools: readPools(params.pools), users: readUsers(params.users) };
  return memory.allocations;
}

/** The job's pool: the one that it names, or its user's. */
export const poolOf = (job: Job, userPools: boolean): string =>
  userPools && job.pool === "default" ? job.user : job.pool;

export function enterJob(memory: FairMemory, view: View, job: Job, pool: string): void {
  let record = memory.pools.get(pool);
  if (record === undefined) {
    const now = () => view.kinds.map(() => view.now);
    record = { jobs: [], atMinShare: now(), atHalfShare: now() };
    memory.pools.set(pool, record);
  }
  enqueue(record.jobs, view, job);
  memory.jobs.set(job.id, {
    pool,
    waits: view.kinds.map(() => false),
    unplaced: unplacedMaps(view, job),
    lastMap: undefined,
    level: "node",
    declinesSince: undefined,
  });
}

export function leaveJob(memory: FairMemory, job: JobId): void {
  const record = memory.jobs.get(job);
  if (record === undefined) return;
  memory.jobs.delete(job);
  const { jobs } = defined(memory.pools.get(record.pool), "a job's pool");
  dequeue(jobs, job);
  if (jobs.length === 0) memory.pools.delete(record.pool);
}

/** JobInProgress.nonLocalMaps. */
const unplacedMaps = (view: View, { phases }: Job): number =>
  phases
    .filter(({ slots }) => slots.some((kind) => isMap(view, kind)))
    .flatMap(({ tasks }) => [...tasks])
    .filter(({ replicas }) => replicas.length === 0).length;

/** The most and the fewest slots of a kind for a pool. */
export function limitsOf(
  allocations: Allocations,
  { view, pool, kind }: { view: View; pool: string; kind: SlotKind },
): { readonly min: number; readonly max: number } {
  const { minMaps, maxMaps, minReduces, maxReduces } = poolNamed(allocations, pool);
  return isMap(view, kind) ? { min: minMaps, max: maxMaps } : { min: minReduces, max: maxReduces };
}
