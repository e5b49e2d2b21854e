import type { PlannedJob } from "../../run/job-plan.ts";
import type { RecordedOptions } from "../../run/options.ts";
import type { AttemptFailure, WorkResult } from "./messages.ts";

/** The journal's lines that only this host writes. */
export type HostLine =
  /** The first: what was asked for. */
  | { readonly kind: "run"; readonly id: string; readonly options: RecordedOptions }
  /** In place of it, of an engine that serves: it is not resumed. */
  | { readonly kind: "serve"; readonly id: string }
  /** What is to be done: the job file is made ready, the input is split. */
  | { readonly kind: "plan"; readonly plan: PlannedJob }
  | {
      readonly kind: "process";
      readonly node: string;
      readonly pid: number;
      /** In the system's ticks; absent where it does not tell. */
      readonly birth?: string;
    }
  | { readonly kind: "node-crashed"; readonly node: string; readonly how: string }
  /** What an attempt has made, just before its event; `part`: the file that was accepted. */
  | {
      readonly kind: "output";
      readonly attempt: string;
      readonly node: string;
      readonly result: WorkResult;
      readonly part?: string;
    }
  | ({ readonly kind: "failure"; readonly attempt: string } & AttemptFailure)
  /** Outputs on the node are gone: all, or those of some attempts. */
  | {
      readonly kind: "outputs-lost";
      readonly node: string;
      /** As tasks, for people. */
      readonly outputs: readonly string[];
      readonly attempts?: readonly number[];
    }
  /** The node has a copy of the attempt's output, just before its event. */
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
  /** `node`: or a rack. */
  | { readonly kind: "fault"; readonly node: string; readonly what: string }
  | {
      readonly kind: "slowed";
      readonly node: string;
      readonly factor: number;
      readonly achieved: number;
      readonly forMs: number;
    }
  /** The master was killed, and another goes on. */
  | { readonly kind: "resumed" }
  /** Before the accepted parts become the output, and after. */
  | { readonly kind: "commit-begun"; readonly output: string }
  | {
      readonly kind: "commit";
      readonly job: string;
      readonly output: string;
      /** How many. */
      readonly parts: number;
    };
