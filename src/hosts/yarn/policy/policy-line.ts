import type { Why } from "../../../model/why.ts";

/** The messages of the child to the ApplicationMaster, one JSON object per line. */
export type PolicyLine =
  | { readonly type: "ready"; readonly protocol: number; readonly discipline: string }
  /** Instead of `ready`: no copies in this job. */
  | { readonly type: "idle"; readonly reason: string }
  | { readonly type: "tock"; readonly tick: number }
  | CopyLine
  /** Hadoop runs the killed task again. */
  | { readonly type: "kill"; readonly command: number; readonly attempt: string; readonly why: Why }
  | { readonly type: "withdraw"; readonly command: number; readonly of: number }
  | { readonly type: "log"; readonly level: "info" | "warn" | "error"; readonly text: string };

export interface CopyLine {
  readonly type: "copy";
  readonly command: number;
  readonly task: string;
  readonly where: WhereLine;
  readonly why: Why;
}

export type WhereLine =
  | { readonly on: "any" }
  | { readonly on: "only"; readonly hosts: readonly string[] };

export const PROTOCOL = 1;
