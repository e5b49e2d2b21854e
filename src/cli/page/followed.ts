import { Worker } from "node:worker_threads";
import type { PackedPage } from "../../page-server/packed.ts";
import type { PageSource } from "../../page-server/page-source.ts";
import type { Frame } from "../../report/page/live/frame.ts";
import { Making, type ToFollow } from "./making.ts";

/** `taken`: how many frames the server has taken, shared with it. */
export interface FollowerData extends ToFollow {
  readonly taken: Int32Array;
}

/**
 * The messages of the thread that follows the journal. `grewAt`: when the journal was last written.
 * `rests`: the journal seems complete.
 */
export type FollowerMessage =
  | { readonly kind: "frame"; readonly frame: Frame; readonly grewAt: number }
  | { readonly kind: "rests" }
  | { readonly kind: "failed"; readonly reason: string };

/** Diagnosing a run to which jobs are added takes at most a tenth of the time. */
const SHARE = 10;

/** Lines of a journal soon become garbage: the thread's young generation has this size, in MB. */
const YOUNG_MB = 8;

/** Follows a journal in a thread, until `stop` is called. */
export class Followed {
  readonly #source: PageSource;
  readonly #toFollow: ToFollow;
  readonly #follower: Worker;
  readonly #taken = new Int32Array(new SharedArrayBuffer(4));
  #diagnosing: Making | undefined;
  /** The page for readers that save it during the run: one request serves all of them. */
  #soFar: Making | undefined;
  #waits: NodeJS.Timeout | undefined;
  #dueAt = 0;

  constructor(source: PageSource, toFollow: ToFollow) {
    this.#source = source;
    this.#toFollow = toFollow;
    const workerData: FollowerData = { ...toFollow, taken: this.#taken };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const options = { workerData, resourceLimits };
    this.#follower = new Worker(new URL("./follow.js", import.meta.url), options);
    this.#follower.on("message", (message: FollowerMessage) => this.#hear(message));
    this.#follower.on("error", ({ message }) => source.fail(message));
    source.origin = { journal: toFollow.path, soFar: () => this.#makeSoFar() };
  }

  async stop(): Promise<void> {
    this.#letGo();
    this.#soFar?.stop();
    await this.#follower.terminate();
  }

  #hear(message: FollowerMessage): void {
    switch (message.kind) {
      case "frame":
        // The run continues.
        this.#letGo();
        this.#source.apply(message.frame, message.grewAt);
        Atomics.add(this.#taken, 0, 1);
        Atomics.notify(this.#taken, 0);
        break;
      case "failed":
        this.#source.fail(message.reason);
        break;
      default:
        this.#waits = setTimeout(() => this.#diagnose(), this.#dueAt - performance.now());
    }
  }

  #diagnose(): void {
    const began = performance.now();
    const making = new Making(this.#toFollow);
    this.#diagnosing = making;
    const settle = (tell: () => void): void => {
      if (this.#diagnosing !== making) return;
      this.#dueAt = began + (SHARE + 1) * (performance.now() - began);
      this.#diagnosing = undefined;
      tell();
    };
    making.page.then(
      (page) => settle(() => this.#source.finish(page)),
      ({ message }: Error) => settle(() => this.#source.fail(message)),
    );
  }

  #makeSoFar(): Promise<PackedPage> {
    const making = this.#soFar ?? new Making(this.#toFollow);
    this.#soFar = making;
    const done = (): void => {
      if (this.#soFar === making) this.#soFar = undefined;
    };
    making.page.then(done, done);
    return making.page;
  }

  #letGo(): void {
    clearTimeout(this.#waits);
    const making = this.#diagnosing;
    this.#diagnosing = undefined;
    making?.stop();
  }
}
