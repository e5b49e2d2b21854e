import type { AttemptFailure, JobForNodes, MapLocation, Work, WorkResult } from "../messages.ts";

/** What a node's main thread and the thread of one of its slots say to each other. */
export type ToThread =
  | {
      readonly kind: "run";
      readonly job: JobForNodes;
      readonly work: Work;
      /** The attempt's own, which exists. */
      readonly directory: string;
      readonly progress: SharedArrayBuffer;
    }
  | { readonly kind: "outputs"; readonly found: readonly MapLocation[] };

export type FromThread =
  | { readonly kind: "started" }
  | { readonly kind: "succeeded"; readonly result: WorkResult }
  | { readonly kind: "failed"; readonly failure: AttemptFailure }
  | {
      readonly kind: "fetch-failed";
      readonly map: number;
      readonly path: string;
      readonly message: string;
    };
