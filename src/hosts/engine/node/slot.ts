import { mkdirSync, rmSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { defined } from "../../../base/assert.ts";
import type { JobForNodes, OutputLocation, Work } from "../messages.ts";
import { newProgressMemory, ProgressCell, type ProgressReading } from "./progress-cell.ts";
import type { FromThread, ToThread } from "./thread-messages.ts";
import type { ThreadPool } from "./thread-pool.ts";

export type SlotKindName = Work["kind"];

/** Hears what a slot's attempt tells; the last is that it succeeded or failed. */
export interface SlotListener {
  told(attempt: SlotAttempt, message: FromThread): void;
}

/** One slot of a node: runs one attempt at a time, each in a thread of the node's. */
export class Slot {
  readonly kind: SlotKindName;
  readonly #threads: ThreadPool;
  readonly #listener: SlotListener;
  #running: { readonly attempt: SlotAttempt; readonly thread: Worker } | undefined;

  constructor(kind: SlotKindName, threads: ThreadPool, listener: SlotListener) {
    this.kind = kind;
    this.#threads = threads;
    this.#listener = listener;
  }

  get attempt(): SlotAttempt | undefined {
    return this.#running?.attempt;
  }

  run(query: {
    readonly attempt: number;
    readonly job: JobForNodes;
    readonly work: Work;
    readonly directory: string;
  }): void {
    const { job, work, directory } = query;
    const memory = newProgressMemory();
    mkdirSync(directory, { recursive: true });
    const attempt = new SlotAttempt(query.attempt, job.job, directory, new ProgressCell(memory));
    const thread = this.#threads.take({
      heard: (message) => this.#heard(message),
      broken: (message, stack) => {
        const how = stack === undefined ? { message } : { message, stack };
        this.#ended({ kind: "failed", failure: { cause: "error", ...how } });
      },
    });
    this.#running = { attempt, thread };
    this.#tell({ kind: "run", job, work, directory, progress: memory });
  }

  found(job: number, found: readonly OutputLocation[]): void {
    if (this.attempt?.job === job) this.#tell({ kind: "outputs", found });
  }

  /** Ends the attempt, whatever its thread is doing, and removes what it has written. */
  async end(): Promise<void> {
    if (this.#running === undefined) return;
    const { attempt, thread } = this.#running;
    this.#running = undefined;
    await this.#threads.end(thread);
    rmSync(attempt.directory, { recursive: true, force: true });
  }

  #heard(message: FromThread): void {
    const running = defined(this.#running, "the attempt of a thread that is taken");
    if (message.kind === "succeeded" || message.kind === "failed") {
      this.#threads.giveBack(running.thread);
      this.#ended(message);
    } else {
      this.#listener.told(running.attempt, message);
    }
  }

  #ended(message: AttemptEnd): void {
    const { attempt } = defined(this.#running, "the attempt of a thread that was taken");
    this.#running = undefined;
    if (message.kind === "failed") rmSync(attempt.directory, { recursive: true, force: true });
    this.#listener.told(attempt, message);
  }

  #tell(message: ToThread): void {
    this.#running?.thread.postMessage(message);
  }
}

type AttemptEnd = Extract<FromThread, { kind: "succeeded" | "failed" }>;

/** An attempt as the node's main thread sees it. */
export class SlotAttempt {
  readonly id: number;
  readonly job: number;
  readonly directory: string;
  readonly #progress: ProgressCell;
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
      this.#aliveAt = performance.now();
    }
    return performance.now() - this.#aliveAt;
  }

  /** The node itself stood still for so long: that is not the attempt's fault. */
  excuse(ms: number): void {
    this.#aliveAt += ms;
  }
}
