import type { AttemptMessage, JobForNodes, OutputLocation, Work } from "../messages.ts";
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
      readonly attempt: number;
      readonly job: JobForNodes;
      readonly work: Work;
      /** The attempt's own, which exists. */
      readonly directory: string;
      readonly progress: SharedArrayBuffer;
    }
  | { readonly kind: "outputs"; readonly found: readonly OutputLocation[] }
  | { readonly kind: "who-misses"; readonly sources: readonly number[] };

export interface FromThread {
  readonly message: AttemptMessage;
  /** The thread holds so much that no other attempt should have it. */
  readonly isSpent?: boolean;
}
