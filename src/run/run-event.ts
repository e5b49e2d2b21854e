import type { AttemptKind } from "../model/attempt.ts";
import type { Capability } from "../model/cluster.ts";
import type { FailureCause } from "../model/event.ts";
import type { Fact } from "../model/fact.ts";
import type { Why } from "../model/why.ts";

/** What a live display shows. Times are milliseconds since the run began; things are named. */
export type RunEvent = { readonly at: number } & (RunStepEvent | NamedFact | HostEvent);

export type RunStepEvent =
  | {
      readonly kind: "run-started";
      readonly id: string;
      readonly runDirectory: string;
      readonly journal: string;
      readonly nodes: readonly string[];
    }
  /** A policy would use what this host does not do; it goes on without. */
  | { readonly kind: "want-unmet"; readonly policy: string; readonly capability: Capability }
  | {
      readonly kind: "job-submitted";
      readonly job: string;
      readonly phases: readonly { readonly name: string; readonly tasks: number }[];
      readonly inputBytes: number;
      /** Of a loop's job: which round it is of, from 1. */
      readonly round?: { readonly round: number; readonly roundsMax: number };
    }
  /** On a Hadoop cluster: what the job is there, and where its page is. */
  | {
      readonly kind: "application-submitted";
      readonly application: string;
      readonly page: string;
    }
  /** Its master was killed; so many tasks had been done and are not run again. */
  | { readonly kind: "run-resumed"; readonly done: number }
  /** With each heartbeat interval while the job lives. */
  | {
      readonly kind: "job-progressed";
      readonly job: string;
      readonly phases: readonly PhaseProgress[];
      readonly nodes: readonly NodeProgress[];
    }
  /**
   * Nothing of the job has moved for so long: one of the things that it waits for. Told again after
   * twice the time.
   */
  | { readonly kind: "waiting"; readonly job: string; readonly forMs: number; readonly wait: Wait }
  /** `reduce` of `part-00000`, or a map of a map-only job: its file is the winner. */
  | { readonly kind: "task-committed"; readonly task: string; readonly part: string }
  | {
      readonly kind: "job-ended";
      readonly job: string;
      readonly outcome: "succeeded" | "failed" | "killed";
      readonly why: Why;
    };

/** Live: counts of tasks, and the mean progress score of the phase from 0 to 1. */
export interface PhaseProgress {
  readonly name: string;
  readonly tasks: number;
  readonly done: number;
  readonly running: number;
  readonly waiting: number;
  readonly speculated: number;
  readonly score: number;
}

/** What an attempt, or a task, that does not move waits for. */
export type Wait =
  /** A reader: these outputs, and so many more. */
  | {
      readonly kind: "outputs";
      readonly attempt: string;
      readonly node: string;
      readonly of: readonly AwaitedTask[];
      readonly more: number;
    }
  /** Tasks of a phase: a slot, of those of their kind on nodes that are heard. */
  | {
      readonly kind: "slot";
      readonly phase: string;
      readonly tasks: number;
      readonly slot: "map" | "reduce";
      readonly taken: number;
      readonly slots: number;
    }
  /** An attempt at work: after so many records, the next. */
  | {
      readonly kind: "record";
      readonly attempt: string;
      readonly node: string;
      readonly records: number;
    }
  /** A node that is not heard. */
  | { readonly kind: "node"; readonly node: string; readonly silentMs: number }
  /** What has no room here. */
  | { readonly kind: "more"; readonly count: number };

export interface AwaitedTask {
  readonly task: string;
  /** `gone`: it was done, its output is lost, and is not being made again. */
  readonly state: "runs" | "waits for a slot" | "gone" | "not begun";
}

export interface NodeProgress {
  readonly name: string;
  readonly state: "live" | "silent" | "lost";
  /** The factor that it is slowed by now; 1: not slowed. */
  readonly slowedBy: number;
  readonly attempts: readonly {
    readonly attempt: string;
    readonly as: AttemptKind;
    readonly score: number;
  }[];
}

type Named<K extends Fact["kind"], Fields extends keyof Extract<Fact, { kind: K }> = never> = Pick<
  Extract<Fact, { kind: K }>,
  "kind" | Fields
>;

interface OnNode {
  readonly node: string;
}

/** Attempts are named `job/phase/index#n`, as in the journal. */
interface OfAttempt extends OnNode {
  readonly attempt: string;
}

/** Facts of the core, with names in the place of numbers, and with what only the host knows. */
export type NamedFact =
  | (Named<"node-joined", "again"> & OnNode)
  | (Named<"node-silent"> & OnNode & { readonly since: number })
  | (Named<"node-heard"> & OnNode)
  | (Named<"node-lost"> & OnNode & { readonly why: Why })
  | (Named<"attempt-launched", "as"> & OfAttempt & { readonly why: Why })
  | (Named<"attempt-started", "as"> & OfAttempt)
  | (Named<"attempt-dying", "then" | "why"> & OfAttempt)
  | (Named<"attempt-ended", "as"> & OfAttempt & { readonly how: NamedEnd; readonly ranMs: number })
  /** The node has a copy of the task's output. */
  | (Named<"output-copied"> & OnNode & { readonly task: string })
  | (Named<"task-reopened", "why"> & { readonly task: string })
  | (Named<"request-made", "as" | "why"> & { readonly task: string });

/** What the host alone sees of a node and of what runs on it. */
export type HostEvent =
  /** The node's process ended by itself; another takes its place. */
  | { readonly kind: "node-crashed"; readonly node: string; readonly how: string }
  /** A fault is being done to the node: "slowed 4-fold", "killed". */
  | { readonly kind: "fault"; readonly node: string; readonly what: string }
  /** `outputs` are the map tasks whose output is gone. */
  | {
      readonly kind: "outputs-lost";
      readonly node: string;
      readonly outputs: readonly string[];
    }
  /** It has read so many records, and has shown no sign of life since; where its code is now. */
  | {
      readonly kind: "attempt-still";
      readonly attempt: string;
      readonly node: string;
      readonly forMs: number;
      readonly records: number;
      readonly place?: string;
    }
  /** A line that the user's code or a node printed. */
  | {
      readonly kind: "log";
      readonly node: string;
      readonly stream: "stdout" | "stderr";
      readonly line: string;
    };

export type NamedEnd =
  | { readonly kind: "succeeded"; readonly bytes: number; readonly records: number }
  /** `message` begins with the user's error; `place` is the user's file and line, if known. */
  | {
      readonly kind: "failed";
      readonly cause: FailureCause;
      readonly message: string;
      readonly place?: string;
    }
  | { readonly kind: "killed"; readonly by: "core" | "host"; readonly why: Why }
  /** With its node, or with what was on it. */
  | { readonly kind: "lost"; readonly why: Why };
