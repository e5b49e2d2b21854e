import { defined } from "../../base/assert.ts";
import { hasMoreThan } from "../../base/has-more.ts";
import type { SlotCounts } from "../../model/cluster.ts";
import type { JobId, NodeId, SlotKind } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params, withDefaults } from "../params.ts";
import type { Context, SharingPolicy } from "../policy.ts";
import { dequeue, enqueue, type JobQueue } from "../shared/job-queue.ts";
import { isMap, slotsOf } from "../shared/slots.ts";

/** These parameters say which free slots are filled at all. */
const QUEUE_PARAMS = params({
  /** Spreads the last tasks over the nodes. Always on in Hadoop 1.2.1. */
  loadFactor: {
    default: true,
    about: "whether a node gets no more than its share of the tasks that are left",
  },
  /**
   * For failed and speculative tasks: mapred.jobtracker.taskalloc.capacitypad, 0.01. 0: no padding.
   */
  padding: {
    default: 0.01,
    max: 1,
    about: "slots held back, as a share of the tasks of jobs with reduces (capacitypad 0.01)",
  },
  /** MIN_CLUSTER_SIZE_FOR_PADDING, 3. */
  paddingNodesMin: {
    default: 3,
    whole: true,
    about: "nodes up to which nothing is held back (3)",
  },
});

// With no reduce or no off-rack task per offer, some jobs would never end.
const PARAMS = params({
  ...QUEUE_PARAMS,
  /** Hadoop 1.2.1: 1. */
  farMax: {
    default: 1,
    min: 1,
    whole: true,
    about: "most off-rack or speculative tasks of a kind in one offer (1)",
  },
  /** Hadoop 1.2.1: 1. */
  reducesMax: { default: 1, min: 1, whole: true, about: "most reduces in one offer (1)" },
});

export type QueueParams = ParamsOf<typeof QUEUE_PARAMS>;
export type FifoParams = ParamsOf<typeof PARAMS>;

interface Memory {
  readonly queue: JobQueue;
  /** Per slot kind, the jobs with a waiting task. */
  readonly waiting: JobQueue[];
  /** Tasks per slot kind, for each live job with reduces. */
  readonly needs: Map<JobId, number[]>;
  /** The sums of `needs` per slot kind. */
  readonly needed: number[];
}

/** Hadoop's job queue, unchanged since the first version. */
const queue: Pick<SharingPolicy<QueueParams, Memory>, "needs" | "remember" | "hears" | "jobs"> = {
  needs: [],
  remember: () => ({ queue: [], waiting: [], needs: new Map(), needed: [] }),

  hears: {
    "job-submitted": ({ memory, view }, { job }) => enter(memory, view, job),
    "job-ended": ({ memory }, { job }) => leave(memory, job),
    "job-waits"({ memory, view }, { job, slotKind, waits }) {
      const waiting = waitingFor(memory, slotKind);
      if (waits) enqueue(waiting, view, view.job(job));
      else dequeue(waiting, job);
    },
  },

  jobs(ctx, { node, kind }, among) {
    const { memory, view } = ctx;
    // The slots held back as padding go only to the first job with reduces.
    if (!isMap(view, kind) && isPadding(ctx, node, kind)) return firstWithReduces(memory);
    return among === "waiting" ? (memory.waiting[kind] ?? []) : memory.queue;
  },
};

/**
 * Hadoop 1.2.1, JobQueueTaskScheduler: jobs by priority, submission and id. The cluster's first
 * slot kind stands for map slots, all others for reduce slots.
 */
export const fifo: SharingPolicy<FifoParams, Memory> = {
  ...queue,
  name: "fifo",
  source: "Hadoop 1.2.1, JobQueueTaskScheduler",
  params: PARAMS,

  plan(ctx, node, free) {
    const { params, view } = ctx;
    let slots: readonly SlotKind[] = NO_SLOTS;
    for (const { kind, count } of free) {
      const most = isMap(view, kind) ? count : params.reducesMax;
      const fill = Math.min(most, slotsToFill(ctx, node, { kind, count }));
      slots = withMore(slots, kind, fill);
    }
    return { slots, farMax: params.farMax };
  },
};

/** FIFO without limits: the first job that can fills every free slot. */
export const fifoPlain: SharingPolicy<FifoParams, Memory> = {
  ...fifo,
  name: "fifo-plain",
  source: `${fifo.source}, without its limits`,
  params: withDefaults(PARAMS, {
    loadFactor: false,
    padding: 0,
    farMax: Number.POSITIVE_INFINITY,
    reducesMax: Number.POSITIVE_INFINITY,
  }),
};

/** As before HADOOP-3136: a heartbeat gets one task, a reduce only if no map waits. */
export const fifo018: SharingPolicy<QueueParams, Memory> = {
  ...queue,
  name: "fifo-0.18",
  source: "Hadoop 0.18, JobTracker.getNewTaskForTaskTracker",
  params: QUEUE_PARAMS,

  plan(ctx, node, free) {
    const open = free.filter((slots) => slotsToFill(ctx, node, slots) > 0);
    return { slots: open.map(({ kind }) => kind), farMax: 1, launchesMax: 1 };
  },
};

const NO_SLOTS: readonly SlotKind[] = [];

/** The list with `count` more slots of the kind. Most heartbeats have one free slot. */
function withMore(slots: readonly SlotKind[], kind: SlotKind, count: number): readonly SlotKind[] {
  if (count <= 0) return slots;
  if (slots.length === 0 && count === 1) return [kind];
  const more = [...slots];
  for (let i = 0; i < count; i++) more.push(kind);
  return more;
}

type QueueContext = Context<QueueParams, Memory>;

function slotsToFill(ctx: QueueContext, node: NodeId, free: SlotCounts[number]): number {
  const { params, view } = ctx;
  const { kind, count } = free;
  let most = count;
  if (params.loadFactor && most > 0) {
    const nodeSlots = slotsOf(view, node, kind);
    // An attempt being killed after its task is done does not count (desiredMaps - finishedMaps).
    const limit = nodeLimit({ left: view.left(kind), slots: view.slots(kind), nodeSlots });
    most = Math.min(most, limit - (nodeSlots - count));
  }
  return most > 1 && isPadding(ctx, node, kind) ? 1 : most;
}

/** How many tasks a node may run: its slots, or its share of the remaining tasks, rounded up. */
export function nodeLimit(of: { left: number; slots: number; nodeSlots: number }): number {
  const loadFactor = of.left / of.slots;
  return Math.min(Math.ceil(loadFactor * of.nodeSlots), of.nodeSlots);
}

/** Whether only the slots that are held back are still free (exceededPadding). */
function isPadding({ memory, params, view }: QueueContext, node: NodeId, kind: SlotKind): boolean {
  if (params.padding === 0 || memory.needs.size === 0) return false;
  if (!hasMoreThan(params.paddingNodesMin, view.nodes())) return false;
  const nodeSlots = slotsOf(view, node, kind);
  const padding = Math.min(nodeSlots, Math.floor((memory.needed[kind] ?? 0) * params.padding));
  return view.running(kind) + padding >= view.slots(kind);
}

function* firstWithReduces({ queue, needs }: Memory): Generator<JobId> {
  for (const job of queue) {
    if (!needs.has(job)) continue;
    yield job;
    return;
  }
}

function enter(memory: Memory, view: View, job: Job): void {
  enqueue(memory.queue, view, job);
  // As in the source, no slots are held back for a job without reduces.
  if (job.phases.length < 2) return;
  const needs = view.kinds.map((kind) => tasksOf(job, kind));
  memory.needs.set(job.id, needs);
  for (const kind of view.kinds) add(memory.needed, kind, defined(needs[kind], "a kind"));
}

function leave(memory: Memory, job: JobId): void {
  dequeue(memory.queue, job);
  for (const waiting of memory.waiting) dequeue(waiting, job);
  const needs = memory.needs.get(job);
  memory.needs.delete(job);
  needs?.forEach((count, kind) => {
    add(memory.needed, kind, -count);
  });
}

function waitingFor(memory: Memory, kind: SlotKind): JobQueue {
  while (memory.waiting.length <= kind) memory.waiting.push([]);
  return defined(memory.waiting[kind], "a kind");
}

function tasksOf(job: Job, kind: SlotKind): number {
  let count = 0;
  for (const phase of job.phases) if (phase.slots.includes(kind)) count += phase.tasks.length;
  return count;
}

function add(sums: number[], at: number, amount: number): void {
  sums[at] = (sums[at] ?? 0) + amount;
}
