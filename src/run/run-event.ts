import type { AttemptKind } from "../model/attempt.ts";
import type { Capability } from "../model/cluster.ts";
import type { FailureCause } from "../model/event.ts";
import type { Fact } from "../model/fact.ts";
import type { FaultLine } from "../model/fault-line.ts";
import type { Why } from "../model/why.ts";

/** An event for a live display. Times are milliseconds since the run began; things have names. */
export type RunEvent = { readonly at: number } & (RunStepEvent | NamedFact | HostEvent);

export type RunStepEvent =
  | {
      readonly kind: "run-started";
      readonly id: string;
      readonly runDirectory: string;
      readonly journal: string;
      readonly nodes: readonly string[];
    }
  /** A policy wants a capability that this host lacks, and works without it. */
  | { readonly kind: "want-unmet"; readonly policy: string; readonly capability: Capability }
  | {
      readonly kind: "job-submitted";
      readonly job: string;
      readonly phases: readonly { readonly name: string; readonly tasks: number }[];
      readonly inputBytes: number;
      /** The round of a loop's job, from 1. */
      readonly round?: { readonly round: number; readonly roundsMax: number };
    }
  /** On a Hadoop cluster: the application's id and page. */
  | {
      readonly kind: "application-submitted";
      readonly application: string;
      readonly page: string;
    }
  /** The run's master was killed; `done` tasks were finished and do not run again. */
  | { readonly kind: "run-resumed"; readonly done: number }
  /** Emitted with each heartbeat interval while the job lives. */
  | {
      readonly kind: "job-progressed";
      readonly job: string;
      readonly phases: readonly PhaseProgress[];
      readonly nodes: readonly NodeProgress[];
    }
  /**
   * Nothing of the job has moved for `forMs`: one of the things that the job waits for. Repeated
   * after twice the time.
   */
  | { readonly kind: "waiting"; readonly job: string; readonly forMs: number; readonly wait: Wait }
  /** The part of a reduce, or of a map in a map-only job, is accepted: `part-00000`. */
  | { readonly kind: "task-committed"; readonly task: string; readonly part: string }
  | {
      readonly kind: "job-ended";
      readonly job: string;
      readonly outcome: "succeeded" | "failed" | "killed";
      readonly why: Why;
    };

/** Live counts of tasks, and the mean progress score of the phase from 0 to 1. */
export interface PhaseProgress {
  readonly name: string;
  readonly tasks: number;
  readonly done: number;
  readonly running: number;
  readonly waiting: number;
  readonly speculated: number;
  readonly score: number;
}

/** What an attempt or a task without progress is waiting for. */
export type Wait =
  /** A reader waits for these outputs, and `more` others. */
  | {
      readonly kind: "outputs";
      readonly attempt: string;
      readonly node: string;
      readonly of: readonly AwaitedTask[];
      readonly more: number;
    }
  /** Tasks of a phase wait for a slot of their kind on the nodes that are heard. */
  | {
      readonly kind: "slot";
      readonly phase: string;
      readonly tasks: number;
      readonly slot: "map" | "reduce";
      readonly taken: number;
      readonly slots: number;
    }
  /** An attempt at work waits for its next record, after `records`. */
  | {
      readonly kind: "record";
      readonly attempt: string;
      readonly node: string;
      readonly records: number;
    }
  /** A node is silent. */
  | { readonly kind: "node"; readonly node: string; readonly silentMs: number }
  /** Further waits that are not listed. */
  | { readonly kind: "more"; readonly count: number };

export interface AwaitedTask {
  readonly task: string;
  /** `gone`: the task was done, its output is lost, and nothing is recomputing it. */
  readonly state: "runs" | "waits for a slot" | "gone" | "not begun";
}

export interface NodeProgress {
  readonly name: string;
  readonly state: "live" | "silent" | "lost";
  /** The node's current slow-down factor; 1 means not slowed. */
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

/** Facts of the core, with names in place of numbers and with what only the host knows. */
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

/** Events of a node and of the attempts on it that only the host sees. */
export type HostEvent =
  /** The node's process ended by itself; another replaces it. */
  | { readonly kind: "node-crashed"; readonly node: string; readonly how: string }
  /** A fault is being done to the node or rack: "slowed 4-fold", "killed". */
  | Omit<FaultLine, "at">
  /** `outputs` are the map tasks whose output is gone. */
  | {
      readonly kind: "outputs-lost";
      readonly node: string;
      readonly outputs: readonly string[];
    }
  /**
   * The attempt has read `records` and shown no sign of life since; `place` is where its code is
   * now.
   */
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
  /** The attempt was lost with its node, or with the contents of its node. */
  | { readonly kind: "lost"; readonly why: Why };
