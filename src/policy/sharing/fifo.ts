import { defined } from "../../base/assert.ts";
import { hasMoreThan } from "../../base/has-more.ts";
import { byPriority } from "../../model/by-priority.ts";
import type { SlotCounts } from "../../model/cluster.ts";
import type { JobId, NodeId, SlotKind } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import type { Context, SharingPolicy } from "../policy.ts";

export interface FifoParams {
  /**
   * Whether a node gets no more than its share of the tasks that are left, so that the last ones
   * are spread over the nodes. Always so in Hadoop 1.2.1.
   */
  readonly loadFactor: boolean;
  /**
   * Slots held back for failed and speculative tasks, as a share of the tasks of the jobs with
   * reduces: mapred.jobtracker.taskalloc.capacitypad, 0.01. 0: none.
   */
  readonly padding: number;
  /** Nodes up to which nothing is held back: MIN_CLUSTER_SIZE_FOR_PADDING, 3. */
  readonly paddingNodesMin: number;
  /** Most off-rack or speculative tasks of one kind in one offer. Hadoop 1.2.1: 1. */
  readonly farMax: number;
  /** Most reduces in one offer. Hadoop 1.2.1: 1. */
  readonly reducesMax: number;
}

interface Memory {
  /** Live jobs in the order in which they are served. */
  readonly queue: JobId[];
  /** Per slot kind, those with a waiting task. */
  readonly waiting: JobId[][];
  /** Tasks per slot kind, of each live job with reduces. */
  readonly needs: Map<JobId, number[]>;
  /** Their sum. */
  readonly needed: number[];
}

/**
 * Hadoop 1.2.1, JobQueueTaskScheduler: jobs by priority, submission and id. The first slot kind of
 * the cluster stands for its map slots, every other kind for its reduce slots.
 */
export const fifo: SharingPolicy<FifoParams, Memory> = {
  name: "fifo",
  source: "Hadoop 1.2.1, JobQueueTaskScheduler",
  defaults: { loadFactor: true, padding: 0.01, paddingNodesMin: 3, farMax: 1, reducesMax: 1 },
  about: {
    loadFactor: "whether a node gets no more than its share of the tasks that are left",
    padding: "slots held back, as a share of the tasks of jobs with reduces (capacitypad 0.01)",
    paddingNodesMin: "nodes up to which nothing is held back (3)",
    farMax: "most off-rack or speculative tasks of a kind in one offer (1)",
    reducesMax: "most reduces in one offer (1)",
  },
  // Without any reduce, or off-rack task, in an offer some jobs would never end.
  bounds: {
    padding: [0, 1],
    farMax: [1, Number.POSITIVE_INFINITY],
    reducesMax: [1, Number.POSITIVE_INFINITY],
  },
  whole: ["paddingNodesMin", "farMax", "reducesMax"],
  needs: [],
  remember: () => ({ queue: [], waiting: [], needs: new Map(), needed: [] }),

  learn({ memory, view }, what) {
    if (what.kind === "job-submitted") enter(memory, view, what.job);
    else if (what.kind === "job-ended") leave(memory, what.job);
    else if (what.kind === "job-waits") {
      const waiting = waitingFor(memory, what.slotKind);
      if (what.waits) insert(waiting, view, what.job);
      else remove(waiting, what.job);
    }
  },

  plan(ctx, node, free) {
    const slots: SlotKind[] = [];
    for (const { kind, count } of free) {
      for (let left = slotsToFill(ctx, node, { kind, count }); left > 0; left--) slots.push(kind);
    }
    return { slots, farMax: ctx.params.farMax };
  },

  jobs(ctx, { node, kind }, among) {
    const { memory, view } = ctx;
    // Beyond the padding, only the first job with reduces may have one.
    if (!isMap(view, kind) && isPadding(ctx, node, kind)) return firstWithReduces(memory);
    return among === "waiting" ? (memory.waiting[kind] ?? []) : memory.queue;
  },
};

/** The same without its limits: every free slot is filled, by the first job that can. */
export const fifoPlain: SharingPolicy<FifoParams, Memory> = {
  ...fifo,
  name: "fifo-plain",
  source: `${fifo.source}, without its limits`,
  defaults: {
    loadFactor: false,
    padding: 0,
    paddingNodesMin: 3,
    farMax: Number.POSITIVE_INFINITY,
    reducesMax: Number.POSITIVE_INFINITY,
  },
};

/** As before HADOOP-3136: a heartbeat is answered with one task, a reduce only if no map waits. */
export const fifo018: SharingPolicy<FifoParams, Memory> = {
  ...fifo,
  name: "fifo-0.18",
  source: "Hadoop 0.18, JobTracker.getNewTaskForTaskTracker",
  plan(ctx, node, free) {
    const { slots, farMax } = fifo.plan(ctx, node, free);
    return { slots: slots.filter((kind, i) => slots.indexOf(kind) === i), farMax, launchesMax: 1 };
  },
};

type FifoContext = Context<FifoParams, Memory>;

function slotsToFill(ctx: FifoContext, node: NodeId, free: SlotCounts[number]): number {
  const { params, view } = ctx;
  const { kind, count } = free;
  let most = isMap(view, kind) ? count : Math.min(count, params.reducesMax);
  if (params.loadFactor && most > 0) {
    const nodeSlots = slotsOf(view, node, kind);
    const limit = nodeLimit({ left: tasksLeft(view, kind), slots: view.slots(kind), nodeSlots });
    most = Math.min(most, limit - (nodeSlots - count));
  }
  return most > 1 && isPadding(ctx, node, kind) ? 1 : most;
}

/**
 * How many tasks a node may run: its slots, or its share of the tasks that are left, rounded up.
 */
export function nodeLimit(of: { left: number; slots: number; nodeSlots: number }): number {
  const loadFactor = of.left / of.slots;
  return Math.min(Math.ceil(loadFactor * of.nodeSlots), of.nodeSlots);
}

/** Whether the free slots are down to those that are held back (exceededPadding). */
function isPadding({ memory, params, view }: FifoContext, node: NodeId, kind: SlotKind): boolean {
  if (params.padding === 0 || memory.needs.size === 0) return false;
  if (!hasMoreThan(params.paddingNodesMin, view.nodes())) return false;
  const nodeSlots = slotsOf(view, node, kind);
  const padding = Math.min(nodeSlots, Math.floor((memory.needed[kind] ?? 0) * params.padding));
  return view.running(kind) + padding >= view.slots(kind);
}

const isMap = (view: View, kind: SlotKind): boolean => kind === view.kinds[0];

const SPECULATIVE = { as: "speculative" } as const;

/** Waiting and running tasks; one whose only attempt is a speculative one is missed. */
const tasksLeft = (view: View, kind: SlotKind): number =>
  view.waiting(kind) + view.running(kind) - view.running(kind, SPECULATIVE);

function slotsOf(view: View, node: NodeId, kind: SlotKind): number {
  for (const slots of view.node(node).slots) if (slots.kind === kind) return slots.count;
  return 0;
}

function* firstWithReduces({ queue, needs }: Memory): Generator<JobId> {
  for (const job of queue) {
    if (!needs.has(job)) continue;
    yield job;
    return;
  }
}

function enter(memory: Memory, view: View, job: Job): void {
  insert(memory.queue, view, job.id);
  // As in the source, a job without reduces has nothing held back for it.
  if (job.phases.length < 2) return;
  const needs = view.kinds.map((kind) => tasksOf(job, kind));
  memory.needs.set(job.id, needs);
  for (const kind of view.kinds) add(memory.needed, kind, defined(needs[kind], "a kind"));
}

function leave(memory: Memory, job: JobId): void {
  remove(memory.queue, job);
  for (const waiting of memory.waiting) remove(waiting, job);
  const needs = memory.needs.get(job);
  memory.needs.delete(job);
  needs?.forEach((count, kind) => {
    add(memory.needed, kind, -count);
  });
}

function waitingFor(memory: Memory, kind: SlotKind): JobId[] {
  while (memory.waiting.length <= kind) memory.waiting.push([]);
  return defined(memory.waiting[kind], "a kind");
}

/** At its place by priority. */
function insert(jobs: JobId[], view: View, job: JobId): void {
  const noun = view.job(job);
  let low = 0;
  let high = jobs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byPriority(view.job(defined(jobs[middle], "a job")), noun) < 0) low = middle + 1;
    else high = middle;
  }
  jobs.splice(low, 0, job);
}

function remove(jobs: JobId[], job: JobId): void {
  const place = jobs.indexOf(job);
  if (place >= 0) jobs.splice(place, 1);
}

function tasksOf(job: Job, kind: SlotKind): number {
  let count = 0;
  for (const phase of job.phases) if (phase.slots.includes(kind)) count += phase.tasks.length;
  return count;
}

function add(sums: number[], at: number, amount: number): void {
  sums[at] = (sums[at] ?? 0) + amount;
}
