import type { Part } from "./part.ts";

/** Part of the response in which no attempt ran. */
export interface Spell {
  readonly part: Exclude<Part, "work" | "few-tasks">;
  /** Since the submission. */
  readonly fromMs: number;
  readonly ms: number;
  /** Beside which of Spark's jobs, or of the phases where there are no such jobs. */
  readonly at: "before" | "between" | "inside" | "after" | "result";
  /** In words: `between job 0 and job 1`. */
  readonly where: string;
}
