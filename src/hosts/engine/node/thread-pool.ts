import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { defined } from "../../../base/assert.ts";
import { fullHeap } from "../../../data/task/heap.ts";
import type { HeapLimits } from "../../../data/task/task-resources.ts";
import type { LateFailure } from "../messages.ts";
import type { AttemptReport, FromThread, SlotThreadData } from "./thread-messages.ts";

/** The user of a thread from the pool. */
export interface ThreadHolder {
  received(report: AttemptReport): void;
  /** The user's code ended the thread. */
  broken(message: string, stack?: string): void;
}

/** The thread that was returned last, or the one that has rested longest. */
export type WhichThread = "warmest" | "coldest";

/**
 * The threads of a node. A slot takes one for each attempt, usually the warmest, whose memory and
 * compiled code the next task reuses. A small job runs in a single thread, and a reduce need not
 * wait for a new thread.
 */
export class ThreadPool {
  readonly #about: SlotThreadData;
  readonly #heap: HeapLimits;
  /** The slots of the node: the most threads that are ever needed. */
  readonly #slots: number;
  /** The free threads. */
  readonly #idle: Worker[] = [];
  readonly #onLateFailure: (failure: LateFailure) => void;
  readonly #holders = new Map<Worker, ThreadHolder>();
  /** How many threads in a row ended without having run an attempt. */
  #idleEnds = 0;
  #areAllAllowed = false;

  constructor(query: {
    readonly about: SlotThreadData;
    readonly heap: HeapLimits;
    readonly slots: number;
    /** Whether or not the thread runs another attempt by then. */
    readonly onLateFailure: (failure: LateFailure) => void;
  }) {
    this.#about = query.about;
    this.#heap = query.heap;
    this.#slots = query.slots;
    this.#onLateFailure = query.onLateFailure;
  }

  /** From now on `haveAll` starts a thread for each slot. */
  allowAll(): void {
    this.#areAllAllowed = true;
  }

  /** Whether each slot has a thread; starts the missing ones if allowed. */
  haveAll(): boolean {
    if (this.#areAllAllowed) this.warmUp(this.#slots);
    return this.#threads >= this.#slots;
  }

  get #threads(): number {
    return this.#idle.length + this.#holders.size;
  }

  /**
   * Starts threads until there are this many, taken ones included, so that attempts need not wait
   * for one.
   */
  warmUp(threads: number): void {
    while (this.#threads < threads) this.#begin();
  }

  take(holder: ThreadHolder, which: WhichThread): Worker {
    if (this.#idle.length === 0) this.#begin();
    const taken = which === "warmest" ? this.#idle.pop() : this.#idle.shift();
    const thread = defined(taken, "an idle thread");
    this.#holders.set(thread, holder);
    return thread;
  }

  /** `isSpent`: the thread must not be used again. */
  giveBack(thread: Worker, isSpent: boolean): void {
    this.#idleEnds = 0;
    if (isSpent) {
      void this.end(thread);
      return;
    }
    this.#holders.delete(thread);
    this.#idle.push(thread);
  }

  /** Ends the thread, no matter what it is doing; another replaces it. */
  async end(thread: Worker): Promise<void> {
    this.#forget(thread);
    this.#begin();
    // A thread that blocks in a call, for instance waiting for a program of the user's, ends when
    // the call returns. It runs no more of the user's code.
    await Promise.race([thread.terminate(), sleep(TERMINATE_MS, undefined, { ref: false })]);
  }

  /** Puts the new thread behind all others, since it still has to load its code. */
  #begin(): void {
    const thread = new Worker(new URL("./slot-thread.js", import.meta.url), {
      workerData: this.#about,
      resourceLimits: {
        maxYoungGenerationSizeMb: this.#heap.youngBytes / MEGABYTE,
        maxOldGenerationSizeMb: this.#heap.oldBytes / MEGABYTE,
      },
      // The thread prints by itself; the main thread passes nothing on.
      stdout: true,
      stderr: true,
    });
    thread.on("message", (report: FromThread) => {
      if (report.kind === "failed-late") this.#onLateFailure(report);
      else this.#holders.get(thread)?.received(report);
    });
    thread.on("error", (error) => this.#broken(thread, this.#saying(error), error.stack));
    thread.on("exit", (code) =>
      this.#broken(thread, `the code ended its thread with process.exit(${code})`),
    );
    this.#idle.unshift(thread);
  }

  #broken(thread: Worker, message: string, stack?: string): void {
    const holder = this.#holders.get(thread);
    this.#forget(thread);
    // A thread may fail over what its last attempt left behind, but not again and again.
    if (holder === undefined && ++this.#idleEnds > IDLE_ENDS_MAX) {
      throw new Error(`the thread of a slot ends again and again: ${stack ?? message}`);
    }
    this.#begin();
    holder?.broken(message, stack);
  }

  #forget(thread: Worker): void {
    thread.removeAllListeners();
    // An error while the thread ends does not matter.
    thread.on("error", () => {});
    this.#holders.delete(thread);
    const place = this.#idle.indexOf(thread);
    if (place >= 0) this.#idle.splice(place, 1);
  }

  #saying(error: Error): string {
    if (!("code" in error) || error.code !== "ERR_WORKER_OUT_OF_MEMORY") {
      return `${error.name}: ${error.message}`;
    }
    return fullHeap(this.#heap.oldBytes);
  }
}

const IDLE_ENDS_MAX = 3;
const MEGABYTE = 1024 * 1024;
const TERMINATE_MS = 1_000;
