import { mkdirSync, rmSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { defined } from "../../../base/assert.ts";
import { userPlace } from "../../../data/task/failure.ts";
import type { AttemptMessage, JobForNodes, OutputLocation, Work } from "../messages.ts";
import { newProgressMemory, ProgressCell, type ProgressReading } from "./progress-cell.ts";
import { stackOf } from "./stack-of.ts";
import type { FromThread, ToThread } from "./thread-messages.ts";
import type { ThreadHolder, ThreadPool } from "./thread-pool.ts";

export type SlotKindName = Work["kind"];

/** Receives what a slot's attempt reports; the last is that it succeeded or failed. */
export type OnReport = (attempt: SlotAttempt, message: AttemptMessage) => void;

type Assignment = Extract<ToThread, { kind: "run" }>;

/** An attempt that holds the slot, before it has a thread and when it has one. */
type Held =
  | { readonly kind: "waiting"; readonly attempt: SlotAttempt; readonly assignment: Assignment }
  | { readonly kind: "running"; readonly attempt: SlotAttempt; readonly thread: Worker };

/** One slot of a node: runs one attempt at a time, each in a thread of the node's. */
export class NodeSlot {
  readonly kind: SlotKindName;
  readonly #threads: ThreadPool;
  readonly #onReport: OnReport;
  #held: Held | undefined;

  constructor(kind: SlotKindName, threads: ThreadPool, onReport: OnReport) {
    this.kind = kind;
    this.#threads = threads;
    this.#onReport = onReport;
  }

  get attempt(): SlotAttempt | undefined {
    return this.#held?.attempt;
  }

  /** Whether its attempt has no thread yet, and so can show no sign of life. */
  get isWaiting(): boolean {
    return this.#held?.kind === "waiting";
  }

  /** The user's file and line where its attempt is right now, as far as that can be found out. */
  async place(): Promise<string | undefined> {
    if (this.#held?.kind !== "running") return undefined;
    const stack = await stackOf(this.#held.thread);
    return stack === undefined ? undefined : userPlace(stack);
  }

  run(query: {
    readonly attempt: number;
    readonly job: JobForNodes;
    readonly work: Work;
    readonly directory: string;
  }): void {
    const { attempt: id, job, work, directory } = query;
    const progress = newProgressMemory();
    mkdirSync(directory, { recursive: true });
    const attempt = new SlotAttempt(id, job.job, directory, new ProgressCell(progress));
    const assignment: Assignment = { kind: "run", attempt: id, job, work, directory, progress };
    this.#held = { kind: "waiting", attempt, assignment };
    try {
      this.tryBegin();
    } catch (error) {
      // The caller reports the failure.
      this.#held = undefined;
      throw error;
    }
  }

  /**
   * Begins what waits, if it is time. One that can copy some outputs, but not finish, leaves the
   * threads to those that make the others, until there may be one for each slot: to begin a thread
   * takes as long from a map as all that could be copied meanwhile.
   */
  tryBegin(): void {
    if (this.#held?.kind !== "waiting") return;
    const { attempt, assignment } = this.#held;
    const isEarly = awaitsOutputs(assignment.work);
    if (isEarly && !this.#threads.haveAll()) return;
    const holder: ThreadHolder = {
      received: (report) => this.#received(report),
      broken: (message, stack) => {
        const how = stack === undefined ? { message } : { message, stack };
        const failure = { cause: "error", ...how } as const;
        this.#ended({ kind: "failed", attempt: attempt.id, failure });
      },
    };
    const thread = this.#threads.take(holder, isEarly ? "coldest" : "warmest");
    attempt.begins();
    this.#held = { kind: "running", attempt, thread };
    thread.postMessage(assignment);
  }

  found(job: number, found: readonly OutputLocation[]): void {
    if (this.#held?.attempt.job !== job) return;
    if (this.#held.kind === "running") {
      const told: ToThread = { kind: "outputs", found };
      this.#held.thread.postMessage(told);
      return;
    }
    const { attempt, assignment } = this.#held;
    const work = withFound(assignment.work, found);
    this.#held = { kind: "waiting", attempt, assignment: { ...assignment, work } };
    this.tryBegin();
  }

  /** Its attempt says which of these it misses, once it has a thread. */
  askMissed(job: number, sources: readonly number[]): void {
    if (this.#held?.attempt.job !== job || this.#held.kind !== "running") return;
    const asked: ToThread = { kind: "who-misses", sources };
    this.#held.thread.postMessage(asked);
  }

  /** Ends the attempt, whatever its thread is doing, and removes what it has written. */
  async end(): Promise<void> {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    if (held.kind === "running") await this.#threads.end(held.thread);
    rmSync(held.attempt.directory, { recursive: true, force: true });
  }

  #received({ message, isSpent = false }: FromThread): void {
    const held = defined(this.#held, "the attempt of a thread that is taken");
    if (message.kind === "succeeded" || message.kind === "failed") {
      if (held.kind === "running") this.#threads.giveBack(held.thread, isSpent);
      this.#ended(message);
    } else {
      this.#onReport(held.attempt, message);
    }
  }

  #ended(message: LastMessage): void {
    const { attempt } = defined(this.#held, "the attempt of a thread that was taken");
    this.#held = undefined;
    if (message.kind === "failed") rmSync(attempt.directory, { recursive: true, force: true });
    this.#onReport(attempt, message);
  }
}

type LastMessage = Extract<AttemptMessage, { kind: "succeeded" | "failed" }>;

/** An attempt as the node's main thread sees it. */
export class SlotAttempt {
  readonly id: number;
  readonly job: number;
  readonly directory: string;
  readonly #progress: ProgressCell;
  /** Where its code was when it was last told that it shows no sign of life. */
  stillAt: string | undefined;
  isStillReported = false;
  #beats = 0;
  #aliveAt = performance.now();

  constructor(id: number, job: number, directory: string, progress: ProgressCell) {
    this.id = id;
    this.job = job;
    this.directory = directory;
    this.#progress = progress;
  }

  read(): ProgressReading {
    return this.#progress.read();
  }

  /** Milliseconds without a sign of life from the attempt. */
  stillFor(): number {
    const { beats } = this.#progress.read();
    if (beats !== this.#beats) {
      this.#beats = beats;
      this.stillAt = undefined;
      this.isStillReported = false;
      this.#aliveAt = performance.now();
    }
    return performance.now() - this.#aliveAt;
  }

  /** It has a thread from now on, and time to show that it is alive. */
  begins(): void {
    this.#aliveAt = performance.now();
  }

  /** The node itself stood still for so long: that is not the attempt's fault. */
  excuse(ms: number): void {
    this.#aliveAt += ms;
  }
}

/** The work as it is told once these outputs have been found, or lost, since it was told first. */
export function withFound(work: Work, since: readonly OutputLocation[]): Work {
  const { reads } = work;
  if (reads.kind !== "shuffle") return work;
  const latest = new Map([...reads.found, ...since].map((one) => [one.source, one]));
  const found = [...latest.values()].filter(({ path }) => path !== undefined);
  return { ...work, reads: { ...reads, found } };
}

/** Whether it reads an output that is not there as yet. */
export function awaitsOutputs({ reads }: Work): boolean {
  if (reads.kind !== "shuffle") return false;
  const there = new Set(reads.found.map(({ source }) => source));
  return reads.sources.flat().some((source) => !there.has(source));
}
