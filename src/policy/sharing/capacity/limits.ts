import type { JobId, SlotKind } from "../../../model/ids.ts";
import { type CapacityContext, queuesOf } from "./memory.ts";

/** The slots of one kind that a queue has, and the limits of the queue and its users. */
export interface QueueUse {
  readonly queue: string;
  /** The queue's own slots. */
  readonly capacity: number;
  /** The slots beyond which the queue does not grow. */
  readonly maximum: number;
  readonly occupied: number;
  readonly occupiedBy: ReadonlyMap<string, number>;
  /** The most slots that one user may have now. */
  readonly userLimit: number;
}

/** COST: O(live jobs of the queue), as in the source. */
export function useOf(ctx: CapacityContext, queue: string, kind: SlotKind): QueueUse {
  const { memory, params, view } = ctx;
  const settings = queuesOf(ctx).get(queue);
  const slots = view.slots(kind);
  const capacity = Math.floor(((settings?.capacity ?? 0) * slots) / 100);
  const maximum = Math.floor(((settings?.maximumCapacity ?? 0) * slots) / 100);
  const occupiedBy = new Map<string, number>();
  let occupied = 0;
  for (const id of memory.jobsOf.get(queue) ?? []) {
    const { user } = view.job(id);
    const running = view.running(kind, { job: id });
    occupied += running;
    occupiedBy.set(user, (occupiedBy.get(user) ?? 0) + running);
  }
  const userLimit = userLimitOf({
    capacity,
    occupied,
    activeUsers: memory.activeUsers.get(queue)?.[kind] ?? 0,
    minimumPercent: settings?.minimumUserLimitPercent ?? params.minimumUserLimitPercent,
    factor: settings?.userLimitFactor ?? params.userLimitFactor,
  });
  const isLimited = maximum > 0;
  return {
    queue,
    capacity,
    maximum: isLimited ? maximum : Number.POSITIVE_INFINITY,
    occupied,
    occupiedBy,
    userLimit,
  };
}

/**
 * Hadoop 1.2.1, updateContextInfoForJob: the active users are noted at the beginning of a
 * heartbeat, so a user whose last waiting task is launched in that heartbeat still counts.
 */
export function noteActiveUsers({ memory, view }: CapacityContext): void {
  memory.activeUsers.clear();
  for (const [queue, jobs] of memory.jobsOf) {
    const active = view.kinds.map((kind) => {
      const waiting = jobs.filter((id) => memory.jobs.get(id)?.waits[kind] === true);
      return new Set(waiting.map((id) => view.job(id).user)).size;
    });
    memory.activeUsers.set(queue, active);
  }
}

/**
 * Hadoop 1.2.1, CapacitySchedulerQueue.assignSlotsToJob: the queue's slots, or the slots that it
 * has plus one if that is more, divided among the users who want some; at least the minimum per
 * cent for each, and never more than the factor times the queue's own slots.
 */
export function userLimitOf(of: {
  readonly capacity: number;
  readonly occupied: number;
  readonly activeUsers: number;
  readonly minimumPercent: number;
  readonly factor: number;
}): number {
  // A queue with less than one slot of its own must still make progress.
  const own = Math.max(of.capacity, 1);
  const current = of.occupied < own ? own : of.occupied + 1;
  const equal = Math.ceil(current / Math.max(1, of.activeUsers));
  const least = Math.ceil((of.minimumPercent * current) / 100);
  // In the source, a factor below 1 of a single slot gives no slot, for ever.
  return Math.max(1, Math.min(Math.max(equal, least), Math.floor(own * of.factor)));
}

/** How full a queue is, for sorting queues; a queue without slots of its own counts as full. */
export const fullness = ({ capacity, occupied }: QueueUse): number =>
  capacity === 0 ? 1 : occupied / capacity;

/**
 * Hadoop 1.2.1, JobInitializationPoller.getJobsToInitialize: the jobs of a queue to be initialised,
 * in their order, until the queue's limit is reached. A user's first job beyond the user's limit
 * waits, and so do all later jobs of that user.
 */
export function initialisable(ctx: CapacityContext, queue: string): ReadonlySet<JobId> {
  const { memory, view } = ctx;
  const most = limitsOf(ctx, queue);
  const all = new Amounts();
  const byUser = new Map<string, Amounts>();
  const jobs = (memory.jobsOf.get(queue) ?? []).map((id) => ({ id, user: view.job(id).user }));
  const tasksOf = (id: JobId): number => memory.jobs.get(id)?.tasks ?? 0;
  const amountsOf = (user: string): Amounts => {
    const amounts = byUser.get(user) ?? new Amounts();
    byUser.set(user, amounts);
    return amounts;
  };
  const admitted = new Set<JobId>();
  const take = ({ id, user }: { id: JobId; user: string }): void => {
    admitted.add(id);
    for (const amounts of [all, amountsOf(user)]) amounts.add(tasksOf(id));
  };
  for (const job of jobs) if (view.admittedAt(job.id) !== undefined) take(job);
  const over = new Set<string>();
  for (const job of jobs) {
    if (admitted.has(job.id)) continue;
    if (!all.hasRoom(tasksOf(job.id), most.ofQueue)) break;
    if (over.has(job.user)) continue;
    if (amountsOf(job.user).hasRoom(tasksOf(job.id), most.ofUser)) take(job);
    else over.add(job.user);
  }
  return admitted;
}

interface InitLimits {
  readonly jobs: number;
  readonly tasks: number;
}

function limitsOf(
  ctx: CapacityContext,
  queue: string,
): { readonly ofQueue: InitLimits; readonly ofUser: InitLimits } {
  const { params } = ctx;
  const settings = queuesOf(ctx).get(queue);
  const jobs = (params.maximumSystemJobs * (settings?.capacity ?? 0)) / 100;
  const percent = settings?.minimumUserLimitPercent ?? params.minimumUserLimitPercent;
  return {
    ofQueue: {
      jobs: Math.ceil(jobs),
      tasks: settings?.maximumActiveTasks ?? params.maximumActiveTasks,
    },
    ofUser: {
      jobs: Math.ceil((jobs * percent) / 100),
      tasks: settings?.maximumActiveTasksPerUser ?? params.maximumActiveTasksPerUser,
    },
  };
}

/** The number of initialised jobs and of their tasks. */
class Amounts {
  #jobs = 0;
  #tasks = 0;

  add(tasks: number): void {
    this.#jobs += 1;
    this.#tasks += tasks;
  }

  /** Hadoop refuses a job that alone exceeds the limit; here that job runs alone. */
  hasRoom(tasks: number, most: InitLimits): boolean {
    if (this.#jobs === 0) return true;
    return this.#jobs < most.jobs && this.#tasks + tasks <= most.tasks;
  }
}
