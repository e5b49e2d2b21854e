import { type Books, type JobBook, type Kind, waits } from "./books.ts";
import type { Schedulable } from "./fair-algorithms.ts";
import { sum } from "./figures.ts";
import { isReady, runningOf, tasksOf } from "./hadoop-job.ts";
import type { Params } from "./letter.ts";

const PRIORITY_FACTORS = [4, 2, 1, 0.5, 0.25];
const MINIMA = ["minMaps", "minReduces"];
const MAXIMA = ["maxMaps", "maxReduces"];

/** Hadoop 1.2.1, PoolManager, PoolSchedulable, JobSchedulable; FairScheduler.updateRunnability. */
export class FairPools {
  private readonly params: Params;

  constructor(params: Params) {
    this.params = params;
  }

  number(name: string, otherwise: number): number {
    return this.params[name] ?? otherwise;
  }

  /** getPoolName: the pool that the job names, or else its user's pool. */
  poolOf = ({ pool, user }: JobBook): string => (pool === "default" ? user : pool);

  /** Jobs by priority and start, while their pool and their user are below their limits. */
  admit({ liveJobs, now }: Books): void {
    const waiting = liveJobs.filter((job) => job.admittedAt === undefined);
    for (const job of waiting.sort(byFifo)) {
      const inside = liveJobs.filter((other) => other.admittedAt !== undefined);
      const pool = this.poolOf(job);
      const ofPool = inside.filter((other) => this.poolOf(other) === pool).length;
      const ofUser = inside.filter(({ user }) => user === job.user).length;
      if (ofPool >= this.number(`${pool}.maxRunningJobs`, this.number("poolMaxJobs", Infinity))) {
        continue;
      }
      if (ofUser >= this.number(`user.${job.user}`, this.number("userMaxJobs", Infinity))) continue;
      job.admittedAt = now;
    }
  }

  names(books: Books): string[] {
    return [...new Set(admitted(books).map(this.poolOf))];
  }

  /** Includes jobs that may not run yet. */
  allNames = (books: Books): string[] => [...new Set(books.liveJobs.map(this.poolOf))];

  jobsOf = (books: Books, pool: string): JobBook[] =>
    admitted(books).filter((job) => this.poolOf(job) === pool);

  pool(books: Books, name: string, kind: Kind): Schedulable {
    let demand = 0;
    let running = 0;
    for (const job of this.jobsOf(books, name)) {
      demand += demandOf(books, job, kind);
      running += runningOf(books, job, kind);
    }
    return {
      ...{ name, startTime: 0, weight: this.number(`${name}.weight`, 1), running },
      minShare: this.minShare(books, name, kind),
      demand: Math.min(demand, this.maxSlots(name, kind)),
    };
  }

  /**
   * Ibrahim et al., 2.3: "The minimum share is automatically adjusted if the total minimum share of
   * all pools exceeds the number of slots in the cluster": all by one factor, to whole slots.
   */
  private minShare(books: Books, pool: string, kind: Kind): number {
    const minOf = (name: string) => this.number(`${name}.${MINIMA[kind]}`, 0);
    const total = sum(this.allNames(books).map(minOf));
    const slots = books.slots(kind);
    if (this.params.adjustMinShares !== 1 || total <= slots) return minOf(pool);
    return Math.floor((minOf(pool) * slots) / total);
  }

  maxSlots = (pool: string, kind: Kind): number => this.number(`${pool}.${MAXIMA[kind]}`, Infinity);

  isFair = (pool: string): boolean =>
    this.number(`${pool}.fifo`, 1 - this.number("fairWithinPools", 1)) === 0;

  job(books: Books, job: JobBook, kind: Kind): Schedulable {
    const demand = demandOf(books, job, kind);
    const bySize = this.number("sizeBasedWeight", 0) ? Math.log1p(demand) / Math.log(2) : 1;
    return {
      // Job numbers of four digits: names are compared as texts.
      name: String(job.id).padStart(4, "0"),
      startTime: job.submittedAt,
      weight: bySize * (PRIORITY_FACTORS[job.priority] ?? Number.NaN),
      minShare: 0,
      ...{ demand, running: runningOf(books, job, kind) },
    };
  }

  /** Of a pool that shares fairly, or that serves the first job first. */
  inOrder(
    books: Books,
    pool: string,
    kind: Kind,
    compare: (a: Schedulable, b: Schedulable) => number,
  ): JobBook[] {
    const jobs = this.jobsOf(books, pool);
    if (!this.isFair(pool)) return jobs.sort(byFifo);
    return (
      jobs
        .map((job) => ({ job, as: this.job(books, job, kind) }))
        // By size, a job without demand has no weight: 0 / 0 has no place in the source's order.
        .filter(({ as }) => as.weight > 0)
        .sort((a, b) => compare(a.as, b.as))
        .map(({ job }) => job)
    );
  }
}

/** SchedulingAlgorithms.FifoComparator. */
export const byFifo = (a: JobBook, b: JobBook): number =>
  a.priority - b.priority || a.submittedAt - b.submittedAt || a.id - b.id;

export const admitted = (books: Books): JobBook[] =>
  books.liveJobs.filter((job) => job.admittedAt !== undefined);

/**
 * JobSchedulable.updateDemand: one slot for each waiting task, one for each running attempt. The
 * source adds one for a possible copy, and does not count an attempt that is being killed because
 * its twin has won; docs/papers/elephant.md says why that is left out.
 */
function demandOf(books: Books, job: JobBook, kind: Kind): number {
  let demand = runningOf(books, job, kind);
  if (isReady(job, kind)) for (const task of tasksOf(job, kind)) if (waits(task)) demand++;
  return demand;
}
