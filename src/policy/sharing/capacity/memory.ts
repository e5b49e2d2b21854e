import { defined } from "../../../base/assert.ts";
import { ascending, type Comparator } from "../../../base/order.ts";
import { byPriority } from "../../../model/by-priority.ts";
import type { JobId, NodeId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import type { Context, HeardOf } from "../../policy.ts";
import { dequeue, enqueue, type JobQueue } from "../../shared/job-queue.ts";
import { isMap } from "../../shared/slots.ts";
import type { CapacityParams } from "./params.ts";
import { type QueueSettings, readQueues } from "./queues.ts";

/** The memory of Capacity. */
export interface CapacityMemory {
  /** Read from the parameters at the first job; in the order of the text. */
  queues: ReadonlyMap<string, QueueSettings> | undefined;
  /** The live jobs of each queue in the order in which they are served. */
  readonly jobsOf: Map<string, JobQueue>;
  readonly jobs: Map<JobId, CapacityJobMemory>;
  /** Nodes that have joined and are not lost. */
  readonly nodes: Set<NodeId>;
  /** Per queue and slot kind: the users with waiting tasks when the present node made its offer. */
  readonly activeUsers: Map<string, number[]>;
}

export interface CapacityJobMemory {
  readonly queue: string;
  /** All tasks of the job, and its tasks that may take a map slot. */
  readonly tasks: number;
  readonly maps: number;
  /** Per slot kind, whether a task waits. */
  readonly waits: boolean[];
  /** Offers since the job last got a map near its data: numSchedulingOpportunities. */
  missed: number;
  /** localityWaitFactor as set at the job's initialisation; undefined before. */
  waitFactor: number | undefined;
}

export type CapacityContext = Context<CapacityParams, CapacityMemory>;

export const emptyMemory = (): CapacityMemory => ({
  queues: undefined,
  jobsOf: new Map(),
  jobs: new Map(),
  nodes: new Set(),
  activeUsers: new Map(),
});

export function queuesOf({
  memory,
  params,
}: Pick<CapacityContext, "memory" | "params">): ReadonlyMap<string, QueueSettings> {
  memory.queues ??= readQueues(params.queues);
  return memory.queues;
}

export function recordWaits(
  ctx: CapacityContext,
  { job: id, slotKind, waits }: HeardOf<"job-waits">,
): void {
  const job = ctx.memory.jobs.get(id);
  if (job === undefined) return;
  job.waits[slotKind] = waits;
  // The job's first waiting task: the job has just been initialised.
  job.waitFactor ??= calibrated(ctx, id);
}

/**
 * Hadoop 1.2.1, JobInProgress.createCache: the default factor is replaced, once, by the share of
 * the nodes that hold the job's input; a factor that was set is the user's intent. Uses Java's
 * floats.
 */
function calibrated({ memory, params, view }: CapacityContext, job: JobId): number {
  const factor = Math.fround(params.localityWaitFactor);
  if (factor !== 1 || memory.nodes.size === 0) return factor;
  return Math.min(Math.fround(view.inputNodes(job) / memory.nodes.size), factor);
}

/**
 * Reads the queues again. Jobs of a queue that no longer exists continue in the first queue, like
 * jobs of other pools.
 */
export function rehome(ctx: CapacityContext): void {
  const { memory, view } = ctx;
  memory.queues = undefined;
  const queues = queuesOf(ctx);
  for (const [queue, ids] of [...memory.jobsOf]) {
    if (queues.has(queue)) continue;
    for (const id of ids) {
      const before = memory.jobs.get(id);
      leave(memory, id);
      enter(ctx, view.job(id));
      const entered = memory.jobs.get(id);
      if (before === undefined || entered === undefined) continue;
      before.waits.forEach((each, kind) => {
        entered.waits[kind] = each;
      });
      entered.waitFactor = before.waitFactor;
    }
  }
}

const BY_SUBMISSION: Comparator<Job> = ascending(
  (job) => job.submittedAt,
  ascending((job) => job.id),
);

export function enter(ctx: CapacityContext, job: Job): void {
  const { memory, params, view } = ctx;
  const queues = queuesOf(ctx);
  const [first] = queues.keys();
  const queue = queues.has(job.pool) ? job.pool : defined(first, "a queue");
  const jobs = memory.jobsOf.get(queue) ?? [];
  memory.jobsOf.set(queue, jobs);
  const byPriorityToo = queues.get(queue)?.supportsPriority ?? params.supportsPriority;
  enqueue(jobs, view, job, byPriorityToo ? byPriority : BY_SUBMISSION);
  let tasks = 0;
  let maps = 0;
  for (const phase of job.phases) {
    tasks += phase.tasks.length;
    if (phase.slots.some((kind) => isMap(view, kind))) maps += phase.tasks.length;
  }
  const waits = view.kinds.map(() => false);
  memory.jobs.set(job.id, { queue, tasks, maps, waits, missed: 0, waitFactor: undefined });
}

export function leave(memory: CapacityMemory, job: JobId): void {
  const record = memory.jobs.get(job);
  if (record === undefined) return;
  memory.jobs.delete(job);
  const jobs = defined(memory.jobsOf.get(record.queue), "a job's queue");
  dequeue(jobs, job);
  if (jobs.length === 0) memory.jobsOf.delete(record.queue);
}
