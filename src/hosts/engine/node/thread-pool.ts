import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { defined } from "../../../base/assert.ts";
import { fullHeap } from "../../../data/task/heap.ts";
import type { HeapLimits } from "../../../data/task/task-resources.ts";
import type { FromThread, SlotThreadData } from "./thread-messages.ts";

/** The user of a thread that was taken. */
export interface ThreadHolder {
  received(report: FromThread): void;
  /** The thread is gone, by the doing of the user's code. */
  broken(message: string, stack?: string): void;
}

/** The thread that was given back last, or the one that has rested longest. */
export type WhichThread = "warmest" | "coldest";

/**
 * The threads of a node. A slot takes one for each attempt, usually the warmest: what its tasks had
 * of memory and of compiled code is there for the next. So a small job is over in one thread, and a
 * reduce need not wait for a thread of its own to begin.
 */
export class ThreadPool {
  readonly #about: SlotThreadData;
  readonly #heap: HeapLimits;
  /** Of the node: more threads than that are never needed. */
  readonly #slots: number;
  /** Threads that are free. */
  readonly #idle: Worker[] = [];
  readonly #holders = new Map<Worker, ThreadHolder>();
  /** Threads that ended in a row without having had anything to do. */
  #idleEnds = 0;
  #areAllAllowed = false;

  constructor(about: SlotThreadData, heap: HeapLimits, slots: number) {
    this.#about = about;
    this.#heap = heap;
    this.#slots = slots;
  }

  /** From now on there are as many as slots when somebody asks for it. */
  allowAll(): void {
    this.#areAllAllowed = true;
  }

  /** Whether there is a thread for each slot; those that are missing begin, if they may. */
  haveAll(): boolean {
    if (this.#areAllAllowed) this.warmUp(this.#slots);
    return this.#threads >= this.#slots;
  }

  get #threads(): number {
    return this.#idle.length + this.#holders.size;
  }

  /** So many are there from now on, with those that are taken: an attempt need not wait for one. */
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

  /** `isSpent`: it is no good for anybody else. */
  giveBack(thread: Worker, isSpent: boolean): void {
    this.#idleEnds = 0;
    if (isSpent) {
      void this.end(thread);
      return;
    }
    this.#holders.delete(thread);
    this.#idle.push(thread);
  }

  /** Ends the thread, whatever it is doing; another takes its place. */
  async end(thread: Worker): Promise<void> {
    this.#forget(thread);
    this.#begin();
    // One that blocks in a call, waiting for a program of the user's for instance, ends when that
    // returns. It runs none of the user's code any more.
    await Promise.race([thread.terminate(), sleep(TERMINATE_MS, undefined, { ref: false })]);
  }

  /** Behind all others: it has still to read its code. */
  #begin(): void {
    const thread = new Worker(new URL("./slot-thread.js", import.meta.url), {
      workerData: this.#about,
      resourceLimits: {
        maxYoungGenerationSizeMb: this.#heap.youngBytes / MEGABYTE,
        maxOldGenerationSizeMb: this.#heap.oldBytes / MEGABYTE,
      },
      // It prints by itself; the main thread has nothing to pass on.
      stdout: true,
      stderr: true,
    });
    thread.on("message", (report: FromThread) => this.#holders.get(thread)?.received(report));
    thread.on("error", (error) => this.#broken(thread, this.#saying(error), error.stack));
    thread.on("exit", (code) =>
      this.#broken(thread, `the code ended its thread with process.exit(${code})`),
    );
    this.#idle.unshift(thread);
  }

  #broken(thread: Worker, message: string, stack?: string): void {
    const holder = this.#holders.get(thread);
    this.#forget(thread);
    // One may fall over what its last attempt has left behind, but not again and again.
    if (holder === undefined && ++this.#idleEnds > IDLE_ENDS_MAX) {
      throw new Error(`the thread of a slot ends again and again: ${stack ?? message}`);
    }
    this.#begin();
    holder?.broken(message, stack);
  }

  #forget(thread: Worker): void {
    thread.removeAllListeners();
    // An error while it ends does not matter.
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
