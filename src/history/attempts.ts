import { defined } from "../base/assert.ts";
import { cell } from "../base/rows.ts";
import type { AttemptKind } from "../model/attempt.ts";
import { type AttemptEnd, type AttemptEnded, type Fact, heardAt, openEnd } from "../model/fact.ts";
import type { AttemptId, JobId, NodeId, SlotKind, TaskId } from "../model/ids.ts";
import type { Job, Locality } from "../model/job.ts";
import type { Why } from "../model/why.ts";
import type { TraceEnd } from "./columns.ts";

export interface JobPlace {
  readonly job: Job;
  /** The number of its first phase over all jobs. */
  readonly firstPhase: number;
  /** Undefined while the job lives. */
  endedAt: number | undefined;
}

/** A task by its place: the indexes of its phase within the job, and its own within the phase. */
export interface TaskPlace {
  readonly of: JobPlace;
  readonly phase: number;
  readonly index: number;
  /** Its number over all jobs. */
  readonly number: number;
}

/** A phase of a job that lives; the ids of its tasks are a range. */
interface LivePhase {
  readonly of: JobPlace;
  readonly phase: number;
  readonly first: TaskId;
  /** The number of its first task over all jobs. */
  readonly number: number;
  /** Attempts of each task that were launched. */
  readonly launches: Uint32Array;
}

/** An attempt that holds a slot. Times in ms. */
export interface OpenAttempt {
  readonly id: AttemptId;
  readonly task: TaskPlace;
  /** Number of the attempt within its task, from 0, in the order of launches. */
  readonly ordinal: number;
  readonly as: AttemptKind;
  readonly node: NodeId;
  readonly slot: SlotKind;
  /** Undefined if the task has no replicas. */
  readonly locality: Locality | undefined;
  readonly launchedAt: number;
  /** Why the core has asked for its end, and its progress score then; undefined if it has not. */
  dying: { readonly why: Why; readonly score: number } | undefined;
}

/** An attempt in retrospect. */
export interface PastAttempt {
  readonly of: OpenAttempt;
  /** When it began to run; undefined if it ended before that, or was open to the end. */
  readonly startedAt: number | undefined;
  readonly ended: TraceEnd;
  readonly endedAt: number;
  /** When its node was last heard: `endedAt` unless it was lost. */
  readonly heardAt: number;
  /** The end as the core reported it; undefined if the record has none. */
  readonly end: AttemptEnd | undefined;
}

/**
 * The one fold of facts into attempts: logs, pictures, traces and pages read it, so that none of
 * them infers an end by itself. It forgets jobs and attempts when they end: 4 bytes a task.
 */
export class AttemptFold {
  readonly #jobs = new Map<JobId, JobPlace>();
  /** Invariant: rising in `first`. */
  #phases: LivePhase[] = [];
  readonly #open = new Map<AttemptId, OpenAttempt>();
  #submitted = { phases: 0, tasks: 0 };
  #now = 0;

  /** Returns the attempt that ended by this fact; an attempt that was refused never ran. */
  apply(fact: Fact): PastAttempt | undefined {
    this.#now = fact.at;
    switch (fact.kind) {
      case "job-submitted":
        this.#submit(fact.job);
        return undefined;
      case "job-ended":
        this.#endJob(fact);
        return undefined;
      case "attempt-launched":
        this.#launch(fact);
        return undefined;
      case "attempt-dying":
        this.open(fact.attempt).dying = { why: fact.why, score: fact.score };
        return undefined;
      case "attempt-ended":
        return this.#end(fact);
      default:
        return undefined;
    }
  }

  /** The record goes on at least until this moment. */
  until(at: number): void {
    this.#now = Math.max(this.#now, at);
  }

  /** When the record ends, as far as is known. */
  get now(): number {
    return this.#now;
  }

  /** A job that lives. */
  job(id: JobId): JobPlace {
    return defined(this.#jobs.get(id), "a job that has not ended");
  }

  /** Undefined if the task's job has ended. */
  findTask(id: TaskId): TaskPlace | undefined {
    const found = this.#phaseOf(id);
    if (found === undefined) return undefined;
    const { of, phase, first, number } = found;
    return { of, phase, index: id - first, number: number + id - first };
  }

  /** The attempts that hold slots, in the order of their launches. */
  get running(): IterableIterator<OpenAttempt> {
    return this.#open.values();
  }

  open(id: AttemptId): OpenAttempt {
    return defined(this.#open.get(id), "an attempt that was launched");
  }

  /** The attempts that are open where the record ends, in the order of their launches. */
  close(): readonly PastAttempt[] {
    return [...this.#open.values()].map((of) => {
      const { endedAt: jobEndedAt } = of.task.of;
      const end = openEnd({ jobEndedAt, recordEndsAt: this.#now });
      return { of, startedAt: undefined, ...end, heardAt: end.endedAt, end: undefined };
    });
  }

  #submit(job: Job): void {
    const submitted = this.#submitted;
    const of: JobPlace = { job, firstPhase: submitted.phases, endedAt: undefined };
    this.#jobs.set(job.id, of);
    for (const [phase, { tasks }] of job.phases.entries()) {
      const first = tasks.at(0)?.id;
      if (first === undefined) continue;
      const launches = new Uint32Array(tasks.length);
      this.#phases.push({ of, phase, first, number: submitted.tasks, launches });
      submitted.tasks += tasks.length;
    }
    submitted.phases += job.phases.length;
    this.#phases.sort((a, b) => (a.first < b.first ? -1 : 1));
  }

  #endJob({ job: id, at }: Extract<Fact, { readonly kind: "job-ended" }>): void {
    const job = this.job(id);
    job.endedAt = at;
    this.#jobs.delete(id);
    this.#phases = this.#phases.filter(({ of }) => of !== job);
  }

  #phaseOf(task: TaskId): LivePhase | undefined {
    let [low, high] = [0, this.#phases.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cell(this.#phases[middle]).first <= task) low = middle + 1;
      else high = middle;
    }
    const found = this.#phases[low - 1];
    return found !== undefined && task - found.first < found.launches.length ? found : undefined;
  }

  #launch(fact: Extract<Fact, { readonly kind: "attempt-launched" }>): void {
    const { launches } = defined(this.#phaseOf(fact.task), "a phase of a job that has not ended");
    const task = defined(this.findTask(fact.task), "a task of a job that has not ended");
    const { attempt: id, as, node, slot, locality, launchedAt } = fact;
    const ordinal = cell(launches[task.index]);
    launches[task.index] = ordinal + 1;
    const open = { id, task, ordinal, as, node, slot, locality, launchedAt, dying: undefined };
    this.#open.set(id, open);
  }

  #end(fact: AttemptEnded): PastAttempt | undefined {
    const of = this.open(fact.attempt);
    this.#open.delete(fact.attempt);
    const { end, startedAt, at: endedAt } = fact;
    if (end.how === "refused") return undefined;
    return { of, startedAt, ended: end.how, endedAt, heardAt: heardAt(fact), end };
  }
}
