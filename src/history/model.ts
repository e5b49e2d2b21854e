import type { JobOutcome } from "../model/action.ts";
import type { EdgeStart, Stage } from "../model/job.ts";
import type { AttemptColumns, Measure } from "./columns.ts";
import type { LogEvidence } from "./evidence.ts";

/**
 * What a history of another system, or a journal, says about its jobs: one shape for all formats.
 * Times are milliseconds since the trace's origin. What a log does not hold is absent: NaN in a
 * column, a word in `lacks`, never 0.
 */
export interface Trace {
  readonly source: TraceSource;
  /** Time 0 of the trace, as milliseconds since 1970 UTC; 0 for a simulated journal. */
  readonly originMs: number;
  /** In the order of their submission. */
  readonly jobs: readonly TraceJob[];
  readonly notes: readonly Note[];
}

export interface TraceSource {
  readonly format: TraceFormat;
  /** The version of the program that wrote the history. */
  readonly version?: string;
  readonly files: readonly string[];
}

export const TRACE_FORMATS = ["jhist", "rumen", "jobtracker", "spark", "journal", "rest"] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];

/** A remark about how a history was read: a sentence for people. */
export interface Note {
  readonly kind: NoteKind;
  readonly text: string;
  /** The id of the job that it is about; absent if it is about the history. */
  readonly job?: string;
}

/**
 * cut-off: the log ends before its jobs do; damaged: lines that could not be read; unknown: kinds
 * of lines that the reader does not know; clocks: times were corrected; dropped: attempts or tasks
 * that the source left out; duplicate: a job that is in several files; assumed: a value that the
 * reader had to assume.
 */
export type NoteKind =
  | "cut-off"
  | "damaged"
  | "unknown"
  | "clocks"
  | "dropped"
  | "duplicate"
  | "assumed";

/** A Hadoop job; a Spark application, whose jobs are its spans; a job or section of ours. */
export interface TraceJob {
  readonly id: string;
  readonly name: string;
  /** The part of the job that this is: its phases and times are the part's. */
  readonly part?: {
    /** `query 3`. */
    readonly name: string;
    readonly title?: string;
    /** Slot time that attempts of other parts of the job took in its time. */
    readonly besideMs: number;
  };
  readonly user?: string;
  /** The workflow of several jobs of which Hive, Pig or Tez submitted this one as a step. */
  readonly workflow?: Workflow;
  readonly submittedAt: number;
  readonly launchedAt?: number;
  /** When each ApplicationMaster of the job started, where the log says. */
  readonly masterStarts?: readonly number[];
  readonly endedAt: number;
  readonly outcome: JobOutcome | "cut-off";
  /** In topological order: `reads` points backwards. */
  readonly phases: readonly TracePhase[];
  /** Spark's jobs, in the order of their submission; empty for other formats. */
  readonly spans: readonly JobSpan[];
  /** The queries of SQL that submitted Spark's jobs, by their numbers; absent if there are none. */
  readonly queries?: readonly QuerySpan[];
  /** Host names without rack and domain of the log's own; `AttemptColumns.node` counts in it. */
  readonly nodes: readonly string[];
  /** The rack of each node, where the log says. */
  readonly racks?: readonly string[];
  /** Spark's executors, or Hadoop's containers where they outlive attempts; often empty. */
  readonly executors: readonly string[];
  /** Slots that the log names; where it names none, the diagnosis takes the most used at once. */
  readonly slots: readonly SlotSpan[];
  readonly settings: Recorded;
  /** The signals that this log lacks: printed, never guessed. */
  readonly lacks: ReadonlySet<Signal>;
  /** What the log is, where there is something to say. */
  readonly evidence?: LogEvidence;
}

/** Texts are empty where the log does not say. */
export interface Workflow {
  readonly id: string;
  readonly name: string;
  /** What the job is in it. */
  readonly step: string;
}

/** A part of an application that was submitted as one job. */
export interface JobSpan {
  readonly name: string;
  /** What its user calls it, or the place in the code that submitted it. */
  readonly title?: string;
  /** The query that submitted it: index into the job's `queries`. */
  readonly query?: number;
  /** Stages that it names and did not run: their outputs were there already. */
  readonly skipped?: number;
  readonly outcome: TraceJob["outcome"];
  readonly submittedAt: number;
  readonly endedAt: number;
}

/** The time of a query of SQL: planning, and the jobs that it submitted. */
export interface QuerySpan {
  readonly name: string;
  /** Its description: the place in the code, or the text that its user gave. */
  readonly title?: string;
  /** The query that began it: index into the job's `queries`. */
  readonly within?: number;
  readonly outcome: TraceJob["outcome"];
  readonly submittedAt: number;
  readonly endedAt: number;
}

/** A slot that existed for a time. */
export interface SlotSpan {
  readonly kind: TracePhaseKind;
  /** Index into `nodes`. */
  readonly node: number;
  /** Index into `executors`; -1 where slots belong to nodes. */
  readonly executor: number;
  /** Only phases of this profile run on it; absent: all phases that have no slots of their own. */
  readonly profile?: number;
  readonly from: number;
  /** Absent if the slot lasted to the job's end. */
  readonly until?: number;
}

/** The slots that an attempt takes: Hadoop 1's maps and reduces have slots of their own. */
export const TRACE_PHASE_KINDS = ["map", "reduce", "stage"] as const;
export type TracePhaseKind = (typeof TRACE_PHASE_KINDS)[number];

export interface TracePhase {
  /** `map`, `reduce`, or `stage 3`: unique within the job. */
  readonly name: string;
  /** The system's name for the phase: `count at Main.scala:22`. */
  readonly title?: string;
  readonly kind: TracePhaseKind;
  /** What a stage of a query does, in the order in which rows pass: operators of its plan. */
  readonly operators?: readonly string[];
  /** The tries after the first: a stage of Spark is tried again when it missed its input. */
  readonly laterTries?: readonly PhaseTry[];
  /** What Spark calls the resources that its tasks ask for, where these are not the usual ones. */
  readonly profile?: number;
  /** Index into the job's `spans`; -1 if there are none. */
  readonly span: number;
  /** Phases of the same job whose output this one reads, by their index. */
  readonly reads: readonly { readonly phase: number; readonly start: EdgeStart }[];
  readonly submittedAt?: number;
  /** Of a task's progress, where the source names several. */
  readonly stages?: readonly Stage[];
  /** The code of its tasks must not run twice at once: no policy may copy them. */
  readonly forbidsCopies?: true;
  /** All its tasks start at once, when all have slots: a barrier stage of Spark. */
  readonly startsTogether?: true;
  /** The number of the phase's tasks, including those that never ran. */
  readonly tasks: number;
  readonly attempts: AttemptColumns;
}

/** A try of a phase. Its attempts are those that began from then on. */
export interface PhaseTry {
  readonly submittedAt: number;
  /** Index into the job's `spans`; -1 if there are none. */
  readonly span: number;
  /** The number of tasks that it ran again. */
  readonly tasks: number;
}

/** The signals that a log may lack. */
export const SIGNALS = [
  "input bytes",
  "shuffle bytes",
  "records",
  "GC",
  "fetch wait",
  "deserialisation",
  "CPU time",
  "spill",
  "locality",
  "executors",
  "slots",
  "progress",
  "counters of killed attempts",
  "failed attempts",
  "time of assignment",
  "other jobs on the cluster",
] as const;
export type Signal = (typeof SIGNALS)[number];

/** The signals that lie in one column. */
const MEASURED: readonly (readonly [Measure, Signal])[] = [
  ["inputBytes", "input bytes"],
  ["shuffleBytes", "shuffle bytes"],
  ["inputRecords", "records"],
  ["gcMs", "GC"],
  ["fetchWaitMs", "fetch wait"],
  ["cpuMs", "CPU time"],
  ["assignedAt", "time of assignment"],
];

/** The signals of which no attempt has a value. */
export const unmeasured = (phases: readonly TracePhase[]): readonly Signal[] =>
  MEASURED.flatMap(([measure, signal]) => {
    const isKnown = phases.some(({ attempts }) =>
      attempts[measure].some((at) => !Number.isNaN(at)),
    );
    return isKnown ? [] : [signal];
  });

/** The rules under which the job ran, where the log says; absent fields are not in the log. */
export interface Recorded {
  /** Whether the system made copies of slow tasks. */
  readonly speculation?: boolean;
  /** The name of the discipline that stands for the recorded rules: `yarn`, `spark-4`, `late`. */
  readonly discipline?: string;
  /** Other settings that matter for stragglers, by their names in that system. */
  readonly values: Readonly<Record<string, string>>;
}
