import { type ChildProcess, fork } from "node:child_process";
import type { PackedPage } from "../../page-server/packed.ts";

/** What a process needs to follow a journal or to diagnose its run. */
export interface ToFollow {
  readonly path: string;
  /** Files with policies of the user's own. */
  readonly policies: readonly string[];
  /** Whether to reconstruct the refusals of a journal that does not record them. */
  readonly refusals: boolean;
  /** The journal of another run of the job, for comparison at the end. */
  readonly against?: string;
}

/** The answer of the process that makes a page. */
export type Made =
  | { readonly kind: "made"; readonly page: PackedPage }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Makes the page of what a journal holds, in a separate process, whose memory is freed afterwards.
 */
export class Making {
  /** Rejects with a sentence if there is no page. */
  readonly page: Promise<PackedPage>;
  readonly #child: ChildProcess;

  constructor(toFollow: ToFollow) {
    const child = fork(new URL("./whole.js", import.meta.url), {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // The server's flags for V8 would slow the diagnosis down.
      execArgv: [],
      serialization: "advanced",
    });
    this.#child = child;
    this.page = new Promise((resolve, reject) => {
      child.on("message", (made: Made) => {
        if (made.kind === "made") resolve(made.page);
        else reject(new Error(made.reason));
      });
      child.on("error", reject);
      child.on("exit", (code, signal) =>
        reject(new Error(`the diagnosis ended early: ${signal ?? code}`)),
      );
    });
    child.send(toFollow);
  }

  stop(): void {
    this.#child.kill();
  }
}
