import { mkdirSync, rmSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { defined } from "../../../base/assert.ts";
import { userPlace } from "../../../data/task/failure.ts";
import type { AttemptMessage, JobForNodes, OutputLocation, Work } from "../messages.ts";
import { newProgressMemory, ProgressCell, type ProgressReading } from "./progress-cell.ts";
import { stackOf } from "./stack-of.ts";
import type { AttemptReport, ToThread } from "./thread-messages.ts";
import type { ThreadHolder, ThreadPool } from "./thread-pool.ts";

export type SlotKindName = Work["kind"];

/** Receives the reports of a slot's attempt; the last is its success or failure. */
export type OnReport = (attempt: SlotAttempt, message: AttemptMessage) => void;

type Assignment = Extract<ToThread, { kind: "run" }>;

/** An attempt that holds the slot, before and after it gets a thread. */
type Held =
  | { readonly kind: "waiting"; readonly attempt: SlotAttempt; readonly assignment: Assignment }
  | { readonly kind: "running"; readonly attempt: SlotAttempt; readonly thread: Worker };

/** One slot of a node: runs one attempt at a time, each in one of the node's threads. */
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

  /** Whether the slot's attempt has no thread yet, and so can show no sign of life. */
  get isWaiting(): boolean {
    return this.#held?.kind === "waiting";
  }

  /** The user's file and line that the attempt executes right now, if they can be found. */
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
   * Starts the waiting attempt if it is time. A reduce that can copy some outputs, but not finish,
   * leaves the threads to the maps until each slot may have one: starting a thread costs a map as
   * much time as the reduce's early copying would save.
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
      const toThread: ToThread = { kind: "outputs", found };
      this.#held.thread.postMessage(toThread);
      return;
    }
    const { attempt, assignment } = this.#held;
    const work = withFound(assignment.work, found);
    this.#held = { kind: "waiting", attempt, assignment: { ...assignment, work } };
    this.tryBegin();
  }

  /** The attempt reports which of these outputs it misses, once it has a thread. */
  askMissed(job: number, sources: readonly number[]): void {
    if (this.#held?.attempt.job !== job || this.#held.kind !== "running") return;
    const asked: ToThread = { kind: "who-misses", sources };
    this.#held.thread.postMessage(asked);
  }

  /** Ends the attempt, no matter what its thread is doing, and removes its files. */
  async end(): Promise<void> {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    if (held.kind === "running") await this.#threads.end(held.thread);
    rmSync(held.attempt.directory, { recursive: true, force: true });
  }

  #received({ message, isSpent }: AttemptReport): void {
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
  /** The place of the attempt's code at the last report of no sign of life. */
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

  /** The attempt has a thread from now on, and time to show that it is alive. */
  begins(): void {
    this.#aliveAt = performance.now();
  }

  /** Forgives a time during which the node itself stood still. */
  excuse(ms: number): void {
    this.#aliveAt += ms;
  }
}

/** The work, with the locations of outputs that were found or lost after the master sent it. */
export function withFound(work: Work, since: readonly OutputLocation[]): Work {
  const { reads } = work;
  if (reads.kind !== "shuffle") return work;
  const latest = new Map([...reads.found, ...since].map((one) => [one.source, one]));
  const found = [...latest.values()].filter(({ path }) => path !== undefined);
  return { ...work, reads: { ...reads, found } };
}

/** Whether the work reads an output that does not exist yet. */
export function awaitsOutputs({ reads }: Work): boolean {
  if (reads.kind !== "shuffle") return false;
  const there = new Set(reads.found.map(({ source }) => source));
  return reads.sources.flat().some((source) => !there.has(source));
}
