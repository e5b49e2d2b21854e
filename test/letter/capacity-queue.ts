import { type Books, type JobBook, type Kind, MAP, REDUCE, waits } from "./books.ts";
import { isReady, runningOf, tasksOf } from "./hadoop-job.ts";
import type { Params } from "./letter.ts";

const KINDS = [MAP, REDUCE] as const;
const { fround } = Math;

/** Hadoop 1.2.1, CapacitySchedulerQueue. */
export class CapacityQueue {
  readonly name: string;
  private readonly params: Params;
  /** As of the beginning of a heartbeat, by kind (updateAll). */
  private activeUsers: ReadonlySet<string>[] = [new Set(), new Set()];

  constructor(name: string, params: Params) {
    this.name = name;
    this.params = params;
  }

  private number(name: string, otherwise: number): number {
    return this.params[`${this.name}.${name}`] ?? this.params[name] ?? otherwise;
  }

  /** runningJobs, in their order. */
  running = (books: Books): JobBook[] =>
    books.liveJobs
      .filter((job) => job.pool === this.name && job.admittedAt !== undefined)
      .sort(this.inOrder);

  private inOrder = (a: JobBook, b: JobBook): number =>
    (this.number("supportsPriority", 0) ? a.priority - b.priority : 0) ||
    a.submittedAt - b.submittedAt ||
    a.id - b.id;

  /** JobInitializationPoller.getJobsToInitialize, without its thread. */
  initialise(books: Books): void {
    const percent = this.number("capacity", 0);
    const system = this.number("maximumSystemJobs", 5_000);
    const ulMin = this.number("minimumUserLimitPercent", 100);
    const jobsMax = Math.ceil((system * percent) / 100);
    const jobsOfUserMax = Math.ceil((((system * percent) / 100) * ulMin) / 100);
    const tasksMax = this.number("maximumActiveTasks", 200_000);
    const tasksOfUserMax = this.number("maximumActiveTasksPerUser", 100_000);
    const usersOverLimit = new Set<string>();
    const waiting = books.liveJobs.filter(
      (job) => job.pool === this.name && job.admittedAt === undefined,
    );
    for (const job of waiting.sort(this.inOrder)) {
      const running = this.running(books);
      // A full queue holds back all jobs ...
      if (isFull(running, job, { jobs: jobsMax, tasks: tasksMax })) break;
      if (usersOverLimit.has(job.user)) continue;
      // ... a full user only the user's own jobs, also out of turn.
      const own = running.filter(({ user }) => user === job.user);
      if (isFull(own, job, { jobs: jobsOfUserMax, tasks: tasksOfUserMax })) {
        usersOverLimit.add(job.user);
        continue;
      }
      job.admittedAt = books.now;
    }
  }

  /** updateAll: users are active that have a task to be scheduled. */
  update(books: Books): void {
    this.activeUsers = KINDS.map((kind) => {
      const busy = this.running(books).filter(
        (job) => isReady(job, kind) && tasksOf(job, kind).some(waits),
      );
      return new Set(busy.map(({ user }) => user));
    });
  }

  /** In slots, truncated from floats. */
  capacity = (books: Books, kind: Kind): number =>
    Math.trunc(fround(fround(this.number("capacity", 0) * books.slots(kind)) / 100));

  occupied = (books: Books, kind: Kind, user?: string): number =>
    this.running(books)
      .filter((job) => user === undefined || job.user === user)
      .reduce((total, job) => total + runningOf(books, job, kind), 0);

  /** QueueComparator. */
  fullness(books: Books, kind: Kind): number {
    const capacity = this.capacity(books, kind);
    return capacity === 0 ? 1 : this.occupied(books, kind) / capacity;
  }

  /** assignSlotsToQueue, for one slot: a maximum of less than a slot is no limit. */
  mayGrow(books: Books, kind: Kind): boolean {
    const percent = this.number("maximumCapacity", -1);
    if (percent <= 0) return true;
    const most = Math.trunc(fround(fround(percent * books.slots(kind)) / 100));
    return most <= 0 || this.occupied(books, kind) + 1 <= most;
  }

  /** assignSlotsToJob: whether the user is below the limit. */
  mayHave(books: Books, kind: Kind, user: string): boolean {
    if (!this.mayGrow(books, kind)) return false;
    const own = Math.max(this.capacity(books, kind), 1);
    const occupied = this.occupied(books, kind);
    const current = occupied < own ? own : occupied + 1;
    const users = Math.max(1, this.activeUsers[kind]?.size ?? 0);
    const ulMin = this.number("minimumUserLimitPercent", 100);
    const factor = fround(this.number("userLimitFactor", 1));
    const limit = Math.min(
      Math.max(Math.ceil(current / users), Math.ceil((ulMin * current) / 100)),
      // Here the limit is at least one slot (docs/papers/elephant.md).
      Math.max(1, Math.trunc(fround(own * factor))),
    );
    return this.occupied(books, kind, user) + 1 <= limit;
  }
}

/** Here a job that alone exceeds a limit runs alone (docs/papers/elephant.md). */
const isFull = (
  running: readonly JobBook[],
  job: JobBook,
  most: { readonly jobs: number; readonly tasks: number },
): boolean =>
  running.length > 0 &&
  (running.length >= most.jobs || desired(running) + desired([job]) > most.tasks);

/** desiredTasks. */
const desired = (jobs: readonly JobBook[]): number =>
  jobs.flatMap(({ phases }) => phases.flatMap(({ tasks }) => tasks)).length;
