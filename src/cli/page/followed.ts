import { Worker } from "node:worker_threads";
import type { PageSource } from "../../page-server/page-source.ts";
import { frameFrom } from "../../report/page/frame.ts";

/** What the thread that follows a journal is given. */
export interface ToFollow {
  readonly path: string;
  /** Files with policies of the user's own. */
  readonly policies: readonly string[];
  /** The journal of another run of the job, to be set beside it at its end. */
  readonly against?: string;
  /** More jobs may come after all have ended. */
  readonly stays: boolean;
}

/** What it says. */
export type Followed =
  | { readonly kind: "frame"; readonly bytes: Uint8Array }
  | { readonly kind: "over"; readonly bytes: Uint8Array; readonly job: Uint8Array | undefined }
  | { readonly kind: "failed"; readonly reason: string };

/** Follows a journal in a thread of its own, until `stop` is called. */
export function followInto(
  source: PageSource,
  toFollow: ToFollow,
): { readonly stop: () => Promise<unknown> } {
  const worker = new Worker(new URL("./follow.js", import.meta.url), { workerData: toFollow });
  worker.on("message", (message: Followed) => {
    if (message.kind === "frame") source.apply(frameFrom(message.bytes));
    else if (message.kind === "over") source.finish(message.bytes, message.job);
    else source.fail(message.reason);
  });
  worker.on("error", (error) => source.fail(error.message));
  return { stop: () => worker.terminate() };
}
