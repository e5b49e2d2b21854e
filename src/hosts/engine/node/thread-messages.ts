import type { AttemptFailure, JobForNodes, OutputLocation, Work, WorkResult } from "../messages.ts";
import type { RackSeat } from "../racks/racks.ts";

/** What a slot's thread is told when it begins. */
export interface SlotThreadData {
  /** Whether the node's disk is full. */
  readonly disk: Int32Array;
  readonly seat: RackSeat | undefined;
  /** Whether memory is so little that what a thread took to begin is missed. */
  readonly isScarce: boolean;
}

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
  | { readonly kind: "outputs"; readonly found: readonly OutputLocation[] }
  | { readonly kind: "who-misses"; readonly sources: readonly number[] };

export type FromThread =
  | { readonly kind: "started" }
  | { readonly kind: "succeeded"; readonly result: WorkResult }
  | {
      readonly kind: "failed";
      readonly failure: AttemptFailure;
      /** The thread holds so much that no other attempt should have it. */
      readonly isSpent: boolean;
    }
  | {
      readonly kind: "fetch-failed";
      readonly source: number;
      readonly path: string;
      readonly message: string;
    }
  | { readonly kind: "missed"; readonly sources: readonly number[] };
