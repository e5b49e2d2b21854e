import { defined } from "../../../base/assert.ts";
import { log } from "../../../base/math.ts";
import { ascending } from "../../../base/order.ts";
import { byPriority } from "../../../model/by-priority.ts";
import type { JobId, SlotKind } from "../../../model/ids.ts";
import type { Job, Priority } from "../../../model/job.ts";
import type { Context } from "../../policy.ts";
import { allocationsOf, type FairMemory, limitsOf } from "./memory.ts";
import type { FairParams } from "./params.ts";
import { poolNamed } from "./pools.ts";
import { adjustedMinShares, byNeed, type ShareClaim } from "./shares.ts";

export type FairContext = Context<FairParams, FairMemory>;

export interface PoolClaim extends ShareClaim {
  readonly pool: string;
}

/** The claim of each pool with live jobs: its slots and its demand. COST: O(live jobs). */
export function poolClaims(ctx: FairContext, kind: SlotKind): PoolClaim[] {
  const { memory, params, view } = ctx;
  const allocations = allocationsOf(memory, params);
  const limits = [...memory.pools.keys()].map((pool) =>
    limitsOf(allocations, { view, pool, kind }),
  );
  const promised = limits.map(({ min }) => min);
  const mins = params.adjustMinShares ? adjustedMinShares(promised, view.slots(kind)) : promised;
  return [...memory.pools].map(([pool, { jobs }], index): PoolClaim => {
    let running = 0;
    let waiting = 0;
    for (const job of jobs) {
      running += view.running(kind, { job });
      waiting += view.waitingOf(job, kind);
    }
    return {
      pool,
      running,
      demand: Math.min(running + waiting, limits[index]?.max ?? 0),
      minShare: defined(mins[index], "a minimum share for every pool"),
      weight: poolNamed(allocations, pool).weight,
    };
  });
}

const BY_NEED = byNeed<PoolClaim>((a, b) => (a.pool < b.pool ? -1 : a.pool > b.pool ? 1 : 0));

/** FairShareComparator: pools in the order in which they get a turn. */
export const poolsByNeed = (ctx: FairContext, kind: SlotKind): readonly PoolClaim[] =>
  poolClaims(ctx, kind).sort(BY_NEED);

interface JobClaim extends ShareClaim {
  readonly job: Job;
}

const JOBS_BY_NEED = byNeed<JobClaim>(
  ascending(
    ({ job }) => job.submittedAt,
    ascending(({ job }) => job.id),
  ),
);

/** The jobs of a pool in the order in which they get a turn, by the pool's mode. */
export function jobsByNeed(ctx: FairContext, pool: string, kind: SlotKind): readonly JobId[] {
  const { memory, params } = ctx;
  const jobs = memory.pools.get(pool)?.jobs ?? [];
  const { mode } = poolNamed(allocationsOf(memory, params), pool);
  const isFair = mode === undefined ? params.fairWithinPools : mode === "fair";
  // Otherwise FifoComparator: by priority and submission, the order in which jobs are kept.
  if (!isFair) return jobs;
  return jobs
    .map((id) => jobClaim(ctx, id, kind))
    .sort(JOBS_BY_NEED)
    .map(({ job }) => job.id);
}

function jobClaim({ params, view }: FairContext, id: JobId, kind: SlotKind): JobClaim {
  const job = view.job(id);
  const running = view.running(kind, { job: id });
  const demand = running + view.waitingOf(id, kind);
  const bySize = params.sizeBasedWeight ? sizeWeight(demand) : 1;
  return { job, running, demand, minShare: 0, weight: bySize * PRIORITY_WEIGHT[job.priority] };
}

/** Hadoop 1.2.1, getJobWeight with sizebasedweight: log2(1 + demand). */
export const sizeWeight = (demand: number): number => log(1 + demand) / log(2);

/** Hadoop 1.2.1, getPriorityFactor. */
export const PRIORITY_WEIGHT: Readonly<Record<Priority, number>> = {
  "very-high": 4,
  high: 2,
  normal: 1,
  low: 0.5,
  "very-low": 0.25,
};

/**
 * Hadoop 1.2.1, updateRunnability: the jobs that may run. Running jobs stay; the others are added
 * by priority and submission, as far as the limits of their pools and users allow.
 */
export function runnable({ memory, params, view }: FairContext): ReadonlySet<JobId> {
  const allocations = allocationsOf(memory, params);
  const inPool = new Map<string, number>();
  const ofUser = new Map<string, number>();
  const runs = new Set<JobId>();
  const isIn = ({ id }: Job): boolean => view.admittedAt(id) !== undefined;
  const jobs = [...memory.pools.values()].flatMap((pool) => pool.jobs).map((id) => view.job(id));
  for (const job of jobs.sort(ascending((one) => (isIn(one) ? 0 : 1), byPriority))) {
    const pool = memory.jobs.get(job.id)?.pool ?? "";
    const before = inPool.get(pool) ?? 0;
    const users = ofUser.get(job.user) ?? 0;
    const poolMax = poolNamed(allocations, pool).maxRunningJobs ?? params.poolMaxJobs;
    const userMax = allocations.users.get(job.user)?.maxRunningJobs ?? params.userMaxJobs;
    if (!isIn(job) && (before >= poolMax || users >= userMax)) continue;
    runs.add(job.id);
    inPool.set(pool, before + 1);
    ofUser.set(job.user, users + 1);
  }
  return runs;
}
