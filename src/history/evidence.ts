/**
 * What a log is, as evidence about one job: what it lacks, what stands twice or belongs to others,
 * and who ended whom for which reason. Readers note it; `why`, `whatif`, `compare` and the page
 * show it. An absent list is empty.
 */
export interface LogEvidence {
  /** Of an application that was started again: its attempt, from 1. */
  readonly attempt?: number;
  /** The number of its attempts; the time from the first's start to this one's end, if known. */
  readonly attempts?: number;
  readonly sinceFirstMs?: number;
  /** What a whole log would hold. */
  readonly missing?: readonly Missing[];
  /** The last part that a history server compacted, if something is missing. */
  readonly compactedTo?: string;
  /** Records that cannot be read, wherever they belong. */
  readonly unread?: number;
  /** Ends of attempts that stand twice: each counts once. */
  readonly doubles?: number;
  /** Attempts of other jobs, which are left out. */
  readonly foreign?: number;
  /** Attempts whose end contradicts their start, which are left out. */
  readonly contradicting?: number;
  /** Executors that went with work on them or with outputs that were missed. */
  readonly lostExecutors?: readonly LostExecutor[];
  /** Why attempts ended without a result: `AttemptColumns.reason` counts in it. */
  readonly reasons?: readonly string[];
  /** Parts of an application that failed, or were cancelled, and why. */
  readonly failedJobs?: readonly FailedJob[];
  /** What the host of the job did to nodes or racks while the job ran, in the order of time. */
  readonly faults?: readonly RecordedFault[];
}

/**
 * tasks: tasks of a phase that ended of which the log has nothing; ends: attempts whose end it
 * lacks although their phase ended; attempts: those that gaps in their numbers show; beginning: the
 * events before the first that it holds; parts: files of a log in parts, by their names.
 */
export type Missing =
  | { readonly kind: "tasks"; readonly phase: string; readonly count: number; readonly of: number }
  | { readonly kind: "ends"; readonly phase: string; readonly count: number; readonly of: number }
  | { readonly kind: "attempts"; readonly count: number }
  | { readonly kind: "beginning" }
  | { readonly kind: "parts"; readonly from: string; readonly to: string };

export interface LostExecutor {
  readonly executor: string;
  readonly node: string;
  /** In ms since the trace's origin. */
  readonly at: number;
  /** In the system's words; empty if the log has none. */
  readonly reason: string;
}

export interface RecordedFault {
  /** Or a rack. */
  readonly node: string;
  /** For people: `slowed 10-fold`. */
  readonly what: string;
  /** Since the job's submission; 0 if the fault began before. */
  readonly fromMs: number;
}

export interface FailedJob {
  readonly name: string;
  readonly isCancelled: boolean;
  /** The first line of the exception; empty if the log has none. */
  readonly reason: string;
}

/** Whether causes of lateness may be claimed: a log with holes shows waits that nobody had. */
export const isWhole = ({ missing = [], contradicting = 0 }: LogEvidence): boolean =>
  missing.length === 0 && contradicting === 0;

/** How the reason of an attempt begins that could not fetch its input. */
export const FETCH_FAILED = "fetch failed";
