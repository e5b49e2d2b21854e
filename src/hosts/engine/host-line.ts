import type { FaultLine } from "../../model/fault-line.ts";
import type { PlannedJob } from "../../run/job-plan.ts";
import type { RecordedOptions } from "../../run/options.ts";
import type { AttemptFailure, WorkResult } from "./messages.ts";

/** The lines of the journal that only this host writes. */
export type HostLine =
  /** The first line of a run: the options that the user gave. */
  | { readonly kind: "run"; readonly id: string; readonly options: RecordedOptions }
  /** The first line of an engine that serves, which cannot be resumed. */
  | { readonly kind: "serve"; readonly id: string }
  /** The plan, once the job file is prepared and the input is split. */
  | { readonly kind: "plan"; readonly plan: PlannedJob }
  | {
      readonly kind: "process";
      readonly node: string;
      readonly pid: number;
      /**
       * The start time of the process, in ticks of the system; absent where the system does not
       * report it.
       */
      readonly birth?: string;
    }
  | { readonly kind: "node-crashed"; readonly node: string; readonly how: string }
  /**
   * The output of an attempt, just before the event of its success; `part` names the accepted file.
   */
  | {
      readonly kind: "output";
      readonly attempt: string;
      readonly node: string;
      readonly result: WorkResult;
      readonly part?: string;
    }
  | ({ readonly kind: "failure"; readonly attempt: string } & AttemptFailure)
  /** Outputs on the node are gone: all of them, or the outputs of `attempts`. */
  | {
      readonly kind: "outputs-lost";
      readonly node: string;
      /** The tasks whose outputs are gone, by name, for people. */
      readonly outputs: readonly string[];
      readonly attempts?: readonly number[];
    }
  /** The node has copied the attempt's output; written just before the core's event. */
  | {
      readonly kind: "copied";
      readonly attempt: number;
      readonly node: string;
      readonly path: string;
    }
  | {
      readonly kind: "fetch-failed";
      readonly reader: string;
      readonly path: string;
      readonly message: string;
    }
  | Omit<FaultLine, "at">
  | {
      readonly kind: "slowed";
      readonly node: string;
      readonly factor: number;
      readonly achieved: number;
      readonly forMs: number;
    }
  /** The master was killed, and another master continues. */
  | { readonly kind: "resumed" }
  /** The accepted parts are about to become the output; `commit` follows. */
  | { readonly kind: "commit-begun"; readonly output: string }
  | {
      readonly kind: "commit";
      readonly job: string;
      readonly output: string;
      /** The number of parts. */
      readonly parts: number;
    };

/** One of the host's own lines, with its time. */
export type TimedLine = { readonly at: number } & HostLine;
