import { mkdirSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { AttemptFailure, JobForNodes, OutputLocation, Work } from "../messages.ts";
import { newProgressMemory, ProgressCell, type ProgressReading } from "./progress-cell.ts";
import type { FromThread, SlotThreadData, ToThread } from "./thread-messages.ts";

export type SlotKindName = Work["kind"];

/** Hears what a slot's attempt tells; the last is that it succeeded or failed. */
export interface SlotListener {
  told(attempt: SlotAttempt, message: FromThread): void;
}

/**
 * One slot of a node: a thread that is kept between attempts, and replaced when it has to be ended.
 */
export class Slot {
  readonly kind: SlotKindName;
  readonly #about: SlotThreadData;
  readonly #listener: SlotListener;
  /** From the first attempt on, or before if it is warmed up. */
  #thread: Worker | undefined;
  /** Threads that ended in a row without having had anything to do. */
  #idleEnds = 0;
  #attempt: SlotAttempt | undefined;

  constructor(kind: SlotKindName, about: SlotThreadData, listener: SlotListener) {
    this.kind = kind;
    this.#about = about;
    this.#listener = listener;
  }

  /** Starts its thread, so that the first attempt need not wait for it. */
  warmUp(): void {
    this.#thread ??= this.#newThread();
  }

  get attempt(): SlotAttempt | undefined {
    return this.#attempt;
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
    this.#attempt = new SlotAttempt(query.attempt, job.job, directory, new ProgressCell(memory));
    this.#tell({ kind: "run", job, work, directory, progress: memory });
  }

  found(job: number, found: readonly OutputLocation[]): void {
    if (this.#attempt?.job === job) this.#tell({ kind: "outputs", found });
  }

  /** Ends the attempt, whatever its thread is doing, and removes what it has written. */
  async end(): Promise<void> {
    const directory = this.#attempt?.directory;
    this.#attempt = undefined;
    const old = this.#thread;
    old?.removeAllListeners();
    // What it has thrown before it ends interests nobody.
    old?.on("error", () => {});
    this.#thread = this.#newThread();
    // One that blocks in a call, waiting for a program of the user's for instance, ends when that
    // returns. It runs none of the user's code any more.
    await Promise.race([old?.terminate(), sleep(TERMINATE_MS, undefined, { ref: false })]);
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }

  #newThread(): Worker {
    const thread = new Worker(new URL("./slot-thread.js", import.meta.url), {
      workerData: this.#about,
      // It prints by itself; the main thread has nothing to pass on.
      stdout: true,
      stderr: true,
    });
    thread.on("message", (message: FromThread) => this.#heard(message));
    thread.on("error", (error) => this.#broken(`${error.name}: ${error.message}`, error.stack));
    thread.on("exit", (code) =>
      this.#broken(`the code ended its thread with process.exit(${code})`),
    );
    return thread;
  }

  #heard(message: FromThread): void {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    this.#idleEnds = 0;
    if (message.kind === "succeeded" || message.kind === "failed") this.#attempt = undefined;
    if (message.kind === "failed") rmSync(attempt.directory, { recursive: true, force: true });
    this.#listener.told(attempt, message);
  }

  /** The thread is gone, by the user's doing. */
  #broken(message: string, stack?: string): void {
    this.#thread?.removeAllListeners();
    this.#thread?.on("error", () => {});
    // One may fall over what its last attempt has left behind, but not again and again.
    if (this.#attempt === undefined && ++this.#idleEnds > IDLE_ENDS_MAX) {
      throw new Error(`the thread of a slot ends again and again: ${stack ?? message}`);
    }
    this.#thread = this.#newThread();
    const failure: AttemptFailure =
      stack === undefined ? { cause: "error", message } : { cause: "error", message, stack };
    this.#heard({ kind: "failed", failure });
  }

  #tell(message: ToThread): void {
    this.warmUp();
    this.#thread?.postMessage(message);
  }
}

const IDLE_ENDS_MAX = 3;
const TERMINATE_MS = 1_000;

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
