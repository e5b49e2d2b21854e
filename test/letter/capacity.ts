import {
  type AttemptBook,
  type Books,
  type JobBook,
  type Kind,
  MAP,
  type NodeBook,
  REDUCE,
} from "./books.ts";
import { CapacityQueue } from "./capacity-queue.ts";
import { drawCapacity, QUEUES, setsOfCapacity } from "./capacity-settings.ts";
import { HadoopJobs, STARTS, tasksOf } from "./hadoop-job.ts";
import type { Heartbeats, Launch, Letter, Params } from "./letter.ts";
import { isClosed, tried } from "./turn.ts";

const { fround } = Math;

/** A job's share of the nodes, and its opportunities so far (JobInProgress). */
interface Opportunities {
  readonly localityWaitFactor: number;
  count: number;
}

/** One heartbeat's answer in progress. */
interface Beat {
  readonly node: NodeBook;
  maps: number;
  slots: number;
  isReduceGiven: boolean;
  isFarGiven: boolean;
  areMapsOver: boolean;
}

/** Hadoop 1.2.1, CapacityTaskScheduler.assignTasks. */
class CapacityHeartbeats implements Heartbeats {
  private readonly params: Params;
  private readonly queues: readonly CapacityQueue[];
  private readonly jobs: HadoopJobs;
  private readonly opportunities = new Map<JobBook, Opportunities>();
  private beat: Beat | undefined;
  private isFar = false;

  constructor(params: Params, queues: readonly CapacityQueue[]) {
    this.params = params;
    this.queues = queues;
    this.jobs = new HadoopJobs(params);
  }

  admit(books: Books): void {
    for (const queue of this.queues) queue.initialise(books);
    for (const job of books.liveJobs) {
      if (job.admittedAt === undefined || this.opportunities.has(job)) continue;
      this.opportunities.set(job, { localityWaitFactor: this.factorOf(books, job), count: 0 });
    }
  }

  /** createCache: calibrates the factor, but does not override a configured one. */
  private factorOf(books: Books, job: JobBook): number {
    const factor = fround(this.params.localityWaitFactor ?? 1);
    if (factor !== 1) return factor;
    const hosts = new Set(tasksOf(job, MAP).flatMap((task) => task.replicas));
    return Math.min(fround(hosts.size / books.joined.length), factor);
  }

  begin(books: Books, node: NodeBook): void {
    for (const queue of this.queues) queue.update(books);
    const taken = books.holding().filter((one) => one.node === node);
    const free = (kind: Kind) =>
      node.slots[kind] - taken.filter(({ task }) => task.phase.kind === kind).length;
    this.beat = {
      ...{ node, maps: 0, slots: free(MAP), isReduceGiven: free(REDUCE) === 0 },
      ...{ isFarGiven: false, areMapsOver: false },
    };
  }

  next(books: Books): Launch | undefined {
    const beat = this.beatNow();
    const mapsMax = this.params.mapsMax ?? 32_767;
    // addMapTasks: one off-switch map at most, and none after it.
    if (!beat.areMapsOver && beat.slots > 0 && !beat.isFarGiven && beat.maps < mapsMax) {
      const map = this.assignTask(books, MAP);
      if (map !== undefined) return map;
    }
    beat.areMapsOver = true;
    // addReduceTask
    if (beat.isReduceGiven) return undefined;
    beat.isReduceGiven = true;
    return this.assignTask(books, REDUCE);
  }

  launched(_books: Books, { task }: AttemptBook): void {
    const beat = this.beatNow();
    if (task.phase.kind !== MAP) return;
    beat.maps++;
    beat.slots--;
    beat.isFarGiven ||= this.isFar;
  }

  end(): void {}

  /** TaskSchedulingMgr.assignTasks: the emptiest queue first; equals in the order of the text. */
  private assignTask(books: Books, kind: Kind): Launch | undefined {
    const full = new Map(this.queues.map((queue) => [queue, queue.fullness(books, kind)]));
    const fullness = (queue: CapacityQueue) => full.get(queue) ?? 0;
    for (const queue of [...this.queues].sort((a, b) => fullness(a) - fullness(b))) {
      if (!queue.mayGrow(books, kind)) continue;
      // getTaskFromQueue
      for (const job of queue.running(books)) {
        if (!queue.mayHave(books, kind, job.user)) continue;
        const launch = this.obtainNewTask(books, job, kind);
        if (launch !== undefined) return launch;
      }
    }
    return undefined;
  }

  /** MapSchedulingMgr.obtainNewTask, ReduceSchedulingMgr.obtainNewTask. */
  private obtainNewTask(books: Books, job: JobBook, kind: Kind): Launch | undefined {
    const { node } = this.beatNow();
    // JobInProgress.findNewMapTask: "update the last-known clusterSize".
    job.nodesKnown = books.joined.length;
    if (kind === REDUCE) return this.jobs.obtainReduce(books, job, { node, kind });
    // Here no slot is offered on a node that is closed to the job.
    if (isClosed(books, job, node.id)) return undefined;
    const had = this.opportunities.get(job);
    if (had === undefined) throw new Error(`job ${job.id} was never initialised`);
    const before = had.count++;
    const near = this.jobs.obtainMap(books, job, node, "rack");
    this.isFar = near === undefined;
    if (near !== undefined) {
      // obtainNewMapTask does not reset for off-switch tasks, which include tasks without a
      // location.
      if (near.task.replicas.length > 0 || tried(near.task)) had.count = 0;
      return near;
    }
    // scheduleOffSwitch
    const left = tasksOf(job, MAP).filter((task) => !task.done).length;
    const required = Math.min(left, books.joined.length);
    if (fround(required * had.localityWaitFactor) >= had.count) return undefined;
    const far = this.jobs.obtainMap(books, job, node, "far");
    // Here a slot that is left although the job may go anywhere does not count as an opportunity.
    if (far === undefined) had.count = before;
    return far;
  }

  private beatNow(): Beat {
    if (this.beat === undefined) throw new Error("no heartbeat has begun");
    return this.beat;
  }
}

export const capacity: Letter = {
  policy: "capacity",
  acts: [...STARTS, "copy behind-the-mean"],
  discipline: "capacity",
  draw: drawCapacity,
  defaults: { gap: 0.2, lagMs: 60_000 },
  sets: setsOfCapacity,
  rules(params) {
    const queues = QUEUES.map((name) => new CapacityQueue(name, params));
    const heartbeats = new CapacityHeartbeats(params, queues);
    return { heartbeats, admit: (books) => heartbeats.admit(books) };
  },
  world: { pools: QUEUES, unmixed: true },
};
