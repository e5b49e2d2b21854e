import type { LiveAttempt } from "./attempts.ts";
import type { JobRun } from "./job-run.ts";
import type { MasterContext } from "./master-context.ts";
import { awaitedBy, waitsOf } from "./waits.ts";

/** The time without any change after which a job reports what it waits for. */
const QUIET_MS = 15_000;
/** The most waits of a job that get a line each. */
const TOLD_MAX = 4;
/** The most outputs that a message names. */
const NAMED_MAX = 3;

/**
 * Checks with every heartbeat whether jobs move: reports what a stuck job waits for, and ends
 * attempts that wait for outputs that nothing is making. Working attempts without a sign of life
 * are left to their nodes.
 */
export class Watchdog {
  readonly #context: MasterContext;
  readonly #taskTimeoutMs: number;
  readonly #heartbeatMs: number;
  /** By job, the time after which its waits are reported again. */
  readonly #tellAfterMs = new Map<JobRun, number>();
  #lookedAt: number | undefined;

  constructor(query: {
    readonly context: MasterContext;
    readonly taskTimeoutMs: number;
    readonly heartbeatMs: number;
  }) {
    this.#context = query.context;
    this.#taskTimeoutMs = query.taskTimeoutMs;
    this.#heartbeatMs = query.heartbeatMs;
  }

  /** `jobs`: the running jobs. COST: O(live attempts). */
  look(jobs: readonly JobRun[]): void {
    this.#excuse(jobs);
    for (const attempt of [...this.#context.attempts.all]) this.#lookAtReader(attempt);
    for (const job of this.#tellAfterMs.keys()) {
      if (!jobs.includes(job)) this.#tellAfterMs.delete(job);
    }
    for (const job of jobs) this.#lookAtJob(job);
  }

  /** Forgives the time during which the master itself stood still and read no messages. */
  #excuse(jobs: readonly JobRun[]): void {
    const { now } = this.#context;
    const lateMs = now - (this.#lookedAt ?? now) - this.#heartbeatMs;
    this.#lookedAt = now;
    if (lateMs <= this.#heartbeatMs) return;
    const later = (at: number): number => Math.min(now, at + lateMs);
    for (const job of jobs) job.movedAt = later(job.movedAt);
    for (const attempt of this.#context.attempts.all) {
      attempt.movedAt = later(attempt.movedAt);
      if (attempt.stalledAt !== undefined) attempt.stalledAt = later(attempt.stalledAt);
    }
  }

  #lookAtReader(attempt: LiveAttempt): void {
    const { now } = this.#context;
    if (attempt.killedFor !== undefined || !this.#isStalled(attempt)) {
      attempt.stalledAt = undefined;
      return;
    }
    attempt.stalledAt = Math.max(attempt.stalledAt ?? now, attempt.movedAt);
    if (now - attempt.stalledAt <= this.#taskTimeoutMs) return;
    const names = awaitedBy(this.#context, attempt, NAMED_MAX);
    attempt.node.send({ kind: "kill", attempt: attempt.id });
    const message =
      `no progress for ${this.#taskTimeoutMs / 1000} s: it waits for ${names}, ` +
      "and nothing is at work at that";
    this.#context.fail(attempt, { cause: "timeout", message });
  }

  /**
   * Whether the attempt waits for outputs that nothing can make: no slot of their tasks' kinds is
   * at work, so none of these tasks runs, and none that is queued will get a slot.
   */
  #isStalled({ task, working }: LiveAttempt): boolean {
    if (working || task.readsFrom.size === 0) return false;
    for (const other of this.#context.attempts.all) {
      const isAtWork = other.working || other.task.readsFrom.size === 0;
      if (isAtWork && task.readsFrom.has(other.task.slot)) return false;
    }
    return true;
  }

  #lookAtJob(job: JobRun): void {
    const { now } = this.#context;
    const quietMs = now - this.#movedAt(job);
    const tellAfterMs = this.#tellAfterMs.get(job) ?? QUIET_MS;
    if (quietMs < QUIET_MS) this.#tellAfterMs.delete(job);
    if (quietMs < tellAfterMs) return;
    this.#tellAfterMs.set(job, 2 * tellAfterMs);
    const waits = waitsOf(this.#context, job, NAMED_MAX);
    const told = waits.slice(0, TOLD_MAX);
    const count = waits.length - told.length;
    for (const wait of count > 0 ? [...told, { kind: "more", count } as const] : told) {
      this.#context.emit({ kind: "waiting", job: job.name, forMs: quietMs, wait });
    }
  }

  #movedAt(job: JobRun): number {
    let latest = job.movedAt;
    for (const { task, movedAt } of this.#context.attempts.all) {
      if (job.has(task.id)) latest = Math.max(latest, movedAt);
    }
    return latest;
  }
}
