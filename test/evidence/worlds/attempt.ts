/** What takes an attempt's time, by the names under which `why` has it. */
export const PARTS = ["node", "gc", "fetch-wait", "cold-start", "bytes", "unexplained"] as const;
export type Part = (typeof PARTS)[number];

/** A world's task as it would be drawn before it is known where it runs. Times in ms. */
export interface Work {
  readonly usualMs: number;
  /** On a node of usual speed. */
  readonly gcMs: number;
  readonly fetchMs: number;
  readonly deserializeMs: number;
  readonly bytes: number;
  /** What the first attempt on a core takes more. */
  readonly coldMs: number;
  /** Beyond the usual, of each cause; without those of the place where it runs. */
  readonly extraMs: Readonly<Record<Part, number>>;
  /** How long each failing attempt runs before it fails, as a share of its time. */
  readonly fails: readonly number[];
  /** How long the task is held back though a slot is free. */
  readonly heldMs: number;
}

/** One run of a task, as the event log has it. */
export interface Attempt {
  readonly stage: number;
  /** The attempt of the stage: 0, or more after a failed fetch. */
  readonly try: number;
  readonly index: number;
  readonly number: number;
  readonly isCopy?: boolean;
  /** Garbage collection of its executor, beyond that of its work. */
  readonly moreGcMs?: number;
  readonly executor: string;
  readonly node: string;
  readonly launch: number;
  readonly finish: number;
  readonly work: Work;
  /** Seconds of each cause; with `usualMs` they add up to its duration. */
  readonly parts: Readonly<Record<Part | "retries", number>>;
  readonly usualMs: number;
  /** Its place in the list of the failed attempt that it repeats; -1 if there is none. */
  readonly after: number;
  readonly end: End;
}

export type End =
  | { readonly reason: "Success" }
  | { readonly reason: "ExceptionFailure"; readonly says: string }
  | { readonly reason: "ExecutorLostFailure"; readonly says: string }
  | { readonly reason: "TaskKilled"; readonly says: string }
  | { readonly reason: "FetchFailed"; readonly node: string; readonly executor: string };

export const SUCCESS: End = { reason: "Success" };
