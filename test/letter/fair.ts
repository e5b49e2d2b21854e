import {
  type AttemptBook,
  type Books,
  type JobBook,
  type Kind,
  MAP,
  type NodeBook,
  REDUCE,
} from "./books.ts";
import { byFairShare } from "./fair-algorithms.ts";
import { FairPools } from "./fair-pools.ts";
import { FairPreemption } from "./fair-preemption.ts";
import { drawFair, POOLS, setsOfFair } from "./fair-settings.ts";
import { HadoopJobs, type Level, STARTS, tasksOf } from "./hadoop-job.ts";
import type { Heartbeats, Launch, Letter, Params } from "./letter.ts";
import { distance, isClosed, tried } from "./turn.ts";

const KINDS = [MAP, REDUCE] as const;

/** One heartbeat's answer in progress. */
interface Beat {
  readonly node: NodeBook;
  /**
   * Per kind: the attempts that ran on the node before, the assigned tasks, and whether the node
   * gets no more.
   */
  readonly ran: readonly number[];
  readonly assigned: [number, number];
  readonly isRejected: [boolean, boolean];
  /** All pools' demand before the heartbeat, by kind. */
  readonly runnable: readonly number[];
  readonly visited: Set<JobBook>;
  readonly launched: Set<JobBook>;
}

/** The level of a job's last map, and the time of the first skip since then. */
interface Wait {
  level: number;
  since: number | undefined;
}

/** Hadoop 1.2.1, FairScheduler.assignTasks. */
class FairHeartbeats implements Heartbeats {
  private readonly pools: FairPools;
  private readonly preemption: FairPreemption;
  private readonly jobs: HadoopJobs;
  private readonly waits = new Map<JobBook, Wait>();
  private beat: Beat | undefined;

  constructor(params: Params, pools: FairPools, preemption: FairPreemption) {
    this.pools = pools;
    this.preemption = preemption;
    this.jobs = new HadoopJobs(params);
  }

  begin(books: Books, node: NodeBook): void {
    const { pools } = this;
    const demand = (kind: Kind) =>
      pools.names(books).reduce((sum, name) => sum + pools.pool(books, name, kind).demand, 0);
    this.beat = {
      node,
      ran: KINDS.map((kind) => countTasks(books, node, kind)),
      ...{ assigned: [0, 0], isRejected: [false, false], runnable: KINDS.map(demand) },
      ...{ visited: new Set(), launched: new Set() },
    };
  }

  next(books: Books): Launch | undefined {
    const beat = this.beatNow();
    const { assigned, isRejected, ran } = beat;
    const isMultiple = this.pools.number("assignMultiple", 1) === 1;
    for (;;) {
      for (const kind of KINDS) isRejected[kind] ||= this.isEnough(books, kind);
      if (isRejected[MAP] && isRejected[REDUCE]) return undefined;
      if (!isMultiple && assigned[MAP] + assigned[REDUCE] > 0) return undefined;
      // The type with fewer running tasks on the tracker comes first.
      const load = (kind: Kind) => (ran[kind] ?? 0) + assigned[kind];
      const isMap = isRejected[REDUCE] || (!isRejected[MAP] && load(MAP) <= load(REDUCE));
      const kind = isMap ? MAP : REDUCE;
      const launch = this.assignTask(books, kind);
      if (launch !== undefined) return launch;
      isRejected[kind] = true;
    }
  }

  launched(books: Books, { task }: AttemptBook): void {
    const beat = this.beatNow();
    const { job, kind } = task.phase;
    beat.assigned[kind]++;
    if (kind !== MAP) return;
    beat.launched.add(job);
    // updateLastMapLocalityLevel; a task without a location counts as the farthest.
    this.waits.set(job, {
      level: distance(books, task, { node: beat.node, kind }),
      since: undefined,
    });
  }

  end(books: Books): void {
    const { visited, launched } = this.beatNow();
    for (const job of visited) {
      if (launched.has(job)) continue;
      const wait = this.waitOf(job);
      wait.since ??= books.now;
    }
  }

  /** Whether the heartbeat brings no more of the kind, by its caps or by the node's share. */
  private isEnough(books: Books, kind: Kind): boolean {
    const { pools } = this;
    const { node, ran, assigned, runnable } = this.beatNow();
    const cap = pools.number(kind === MAP ? "mapsMax" : "reducesMax", Infinity);
    const isMultiple = pools.number("assignMultiple", 1) === 1;
    const most = isMultiple ? Math.min(cap, node.slots[kind] - (ran[kind] ?? 0)) : 1;
    if (assigned[kind] >= most) return true;
    // CapBasedLoadManager: the node's share of all pools' demand.
    const load = pools.number("loadMaxDiff", 0) + (runnable[kind] ?? 0) / books.slots(kind);
    const share = Math.ceil(node.slots[kind] * Math.min(1, load));
    return (ran[kind] ?? 0) + assigned[kind] >= share;
  }

  /** PoolSchedulable.assignTask of each pool, until one has a task. */
  private assignTask(books: Books, kind: Kind): Launch | undefined {
    const { pools } = this;
    const scheds = pools.names(books).map((name) => pools.pool(books, name, kind));
    for (const { name, running } of scheds.sort(byFairShare)) {
      if (running >= pools.maxSlots(name, kind)) continue;
      for (const job of pools.inOrder(books, name, kind, byFairShare)) {
        const launch = this.assignTaskOf(books, job, kind);
        if (launch !== undefined) return launch;
      }
    }
    return undefined;
  }

  /** JobSchedulable.assignTask. */
  private assignTaskOf(books: Books, job: JobBook, kind: Kind): Launch | undefined {
    const { node, visited } = this.beatNow();
    // JobInProgress.findNewMapTask: "update the last-known clusterSize".
    job.nodesKnown = books.joined.length;
    if (kind === REDUCE) return this.jobs.obtainReduce(books, job, { node, kind });
    const level = this.allowedLevel(books, job);
    // Here a job is skipped only where it declines: not on a node that is closed to the job, nor
    // while the job may go anywhere (docs/papers/elephant.md).
    if (level !== "any" && !isClosed(books, job, node.id)) visited.add(job);
    return this.jobs.obtainMap(books, job, node, level);
  }

  /** getAllowedLocalityLevel. */
  private allowedLevel(books: Books, job: JobBook): Level {
    // Job doesn't have locality information: nonLocalMaps has those that were never tried.
    if (tasksOf(job, MAP).some((task) => task.replicas.length === 0 && !tried(task))) return "any";
    if (this.preemption.isStarving(books, job)) return "any";
    const { level, since } = this.waitOf(job);
    const waited = since === undefined ? 0 : books.now - since;
    const isSet = this.pools.number("automaticLocalityDelay", 1) === 0;
    // A heartbeat of 10 ms per tracker, at least 300 ms, times 1.5.
    const automatic = Math.min(15_000, Math.floor(1.5 * Math.max(300, 10 * books.joined.length)));
    const node = isSet ? this.pools.number("localityDelayNodeMs", 15_000) : automatic;
    const rack = isSet ? this.pools.number("localityDelayRackMs", 15_000) : automatic;
    if (level === 0 && waited < node) return "node";
    if (level === 0 && waited < node + rack) return "rack";
    if (level === 1 && waited < rack) return "rack";
    return "any";
  }

  private waitOf(job: JobBook): Wait {
    const wait = this.waits.get(job) ?? { level: 0, since: undefined };
    this.waits.set(job, wait);
    return wait;
  }

  private beatNow(): Beat {
    if (this.beat === undefined) throw new Error("no heartbeat has begun");
    return this.beat;
  }
}

/** TaskTrackerStatus.countMapTasks, countReduceTasks. */
const countTasks = (books: Books, node: NodeBook, kind: Kind): number =>
  books.holding().filter((one) => one.node === node && one.task.phase.kind === kind).length;

export const fair: Letter = {
  policy: "fair",
  acts: [...STARTS, "copy behind-the-mean", "kill over-fair-share"],
  discipline: "fair",
  draw: drawFair,
  defaults: { gap: 0.2, lagMs: 60_000, adjustMinShares: 1 },
  sets: setsOfFair,
  rules(params) {
    const pools = new FairPools(params);
    const preemption = new FairPreemption(pools);
    return {
      heartbeats: new FairHeartbeats(params, pools, preemption),
      look: (books) => preemption.look(books),
      dueAt: preemption.dueAt,
      admit(books) {
        pools.admit(books);
        preemption.enter(books);
      },
    };
  },
  world: { pools: POOLS, sparse: true, brisk: true },
};
