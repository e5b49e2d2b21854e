import { type ChildProcess, fork } from "node:child_process";
import { Worker } from "node:worker_threads";
import type { PageSource } from "../../page-server/page-source.ts";
import type { Frame } from "../../report/page/live/frame.ts";

/** What those are given who follow a journal, or diagnose its run. */
export interface ToFollow {
  readonly path: string;
  /** Files with policies of the user's own. */
  readonly policies: readonly string[];
  /** Whether to work out what a journal without refusals had refused. */
  readonly refusals: boolean;
  /** The journal of another run of the job, to be set beside it at its end. */
  readonly against?: string;
}

/** `taken`: how many frames the server has taken, shared with it. */
export interface FollowerData extends ToFollow {
  readonly taken: Int32Array;
}

interface Failed {
  readonly kind: "failed";
  readonly reason: string;
}

/**
 * What the thread says that follows the journal. `grewAt`: when the journal was last written.
 * `rests`: nothing more comes, it seems.
 */
export type Told =
  | { readonly kind: "frame"; readonly frame: Frame; readonly grewAt: number }
  | { readonly kind: "rests" }
  | Failed;

/** What the process says that diagnoses the run. */
export type Whole =
  | { readonly kind: "whole"; readonly bytes: Uint8Array; readonly job: Uint8Array | undefined }
  | Failed;

/** The diagnosis of a run to which jobs are added costs at most a tenth of the time. */
const SHARE = 10;

/** Lines of a journal are garbage soon: the thread has this much room for such, in MB. */
const YOUNG_MB = 8;

/** Follows a journal in a thread, until `stop` is called. */
export class Followed {
  readonly #source: PageSource;
  readonly #toFollow: ToFollow;
  readonly #follower: Worker;
  readonly #taken = new Int32Array(new SharedArrayBuffer(4));
  #diagnosing: ChildProcess | undefined;
  #waits: NodeJS.Timeout | undefined;
  #dueAt = 0;

  constructor(source: PageSource, toFollow: ToFollow) {
    this.#source = source;
    this.#toFollow = toFollow;
    const workerData: FollowerData = { ...toFollow, taken: this.#taken };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const options = { workerData, resourceLimits };
    this.#follower = new Worker(new URL("./follow.js", import.meta.url), options);
    this.#follower.on("message", (told: Told) => this.#hear(told));
    this.#follower.on("error", ({ message }) => source.fail(message));
  }

  async stop(): Promise<void> {
    this.#letGo();
    await this.#follower.terminate();
  }

  #hear(told: Told): void {
    switch (told.kind) {
      case "frame":
        // The run goes on.
        this.#letGo();
        this.#source.apply(told.frame, told.grewAt);
        Atomics.add(this.#taken, 0, 1);
        Atomics.notify(this.#taken, 0);
        break;
      case "failed":
        this.#source.fail(told.reason);
        break;
      default:
        this.#waits = setTimeout(() => this.#diagnose(), this.#dueAt - performance.now());
    }
  }

  /** In a process of its own, which gives all of its memory back. */
  #diagnose(): void {
    const began = performance.now();
    const child = fork(new URL("./whole.js", import.meta.url), {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // The server's flags would slow the diagnosis down.
      execArgv: [],
      serialization: "advanced",
    });
    this.#diagnosing = child;
    const fail = (reason: string): void => {
      if (this.#diagnosing === child) this.#source.fail(reason);
    };
    child.on("message", (whole: Whole) => {
      this.#dueAt = began + (SHARE + 1) * (performance.now() - began);
      if (this.#diagnosing !== child) return;
      this.#diagnosing = undefined;
      if (whole.kind === "whole") this.#source.finish(whole.bytes, whole.job);
      else this.#source.fail(whole.reason);
    });
    child.on("error", ({ message }) => fail(message));
    child.on("exit", (code, signal) => fail(`the diagnosis ended early: ${signal ?? code}`));
    child.send(this.#toFollow);
  }

  #letGo(): void {
    clearTimeout(this.#waits);
    const child = this.#diagnosing;
    this.#diagnosing = undefined;
    child?.kill();
  }
}
