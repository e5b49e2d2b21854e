import type {
  AttemptMessage,
  JobForNodes,
  LateFailure,
  OutputLocation,
  Work,
} from "../messages.ts";
import type { RackSeat } from "../racks/racks.ts";

/** What a slot's thread receives at its start. */
export interface SlotThreadData {
  /** Whether the node's disk is full. */
  readonly disk: Int32Array;
  readonly seat: RackSeat | undefined;
  /** Whether memory is so scarce that a thread must give back what its start took. */
  readonly isScarce: boolean;
}

/** The messages between a node's main thread and the thread of one of its slots. */
export type ToThread =
  | {
      readonly kind: "run";
      readonly attempt: number;
      readonly job: JobForNodes;
      readonly work: Work;
      /** The attempt's own directory, which exists. */
      readonly directory: string;
      readonly progress: SharedArrayBuffer;
    }
  | { readonly kind: "outputs"; readonly found: readonly OutputLocation[] }
  | { readonly kind: "who-misses"; readonly sources: readonly number[] };

export type FromThread = AttemptReport | LateFailure;

export interface AttemptReport {
  readonly kind: "report";
  readonly message: AttemptMessage;
  /** The thread holds much memory, or is in such a state that no other attempt should use it. */
  readonly isSpent: boolean;
}
