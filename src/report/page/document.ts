import { recordOf } from "../../base/rows.ts";
import type { Compare } from "../../diagnose/compare/compare.ts";
import type { Why } from "../../diagnose/document.ts";
import type { Note, Signal, TraceFormat } from "../../history/model.ts";
import type { Stage } from "../../model/job.ts";
import type { WhatIf } from "../../whatif/document.ts";

/** What a page shows: facts of a journal or a history, and the diagnosis beside them. */
export interface PageDocument {
  readonly head: PageHead;
  readonly attempts: AttemptTable;
}

/** Everything but the long columns. Times in ms since the submission of the first job. */
export interface PageHead {
  /** A field is only ever added. */
  readonly schema: "broomwagon/page@2";
  readonly title: string;
  readonly host: PageHost;
  /** The format of the source. */
  readonly format: TraceFormat;
  /** The name of the file, without its directories. */
  readonly source: string;
  /** Time 0, as milliseconds since 1970 UTC; 0 for a simulated run. */
  readonly originMs: number;
  readonly endsAt: number;
  /** The run is live: `endsAt` is now. */
  readonly isLive?: boolean;
  /** The name of the discipline; absent if the source does not say. */
  readonly discipline?: string;
  readonly nodes: readonly PageNode[];
  readonly jobs: readonly PageJob[];
  readonly phases: readonly PagePhase[];
  /** Rows of the timeline: the slots, by rack and node. */
  readonly rows: readonly PageRow[];
  /** Whether rows are slots that the source names, or as many as were used at once. */
  readonly slotsKnown: boolean;
  /** Slot time that the source offers, in ms; absent if it names no slots. */
  readonly offeredMs?: number;
  /** The part of `offeredMs` that was idle while tasks waited for a slot. */
  readonly idleBesideMs?: number;
  /** In the order of their time. All but first launches. */
  readonly decisions: readonly Decision[];
  /** Launches of originals, which are not among the decisions. */
  readonly firstLaunches: number;
  readonly refusals: readonly Refusal[];
  /** The journal does not record the policy's refusals, and they were not reconstructed. */
  readonly lacksRefusals?: boolean;
  readonly spans: readonly NodeSpan[];
  /** What the diagnosis says about the job `whyJob`; absent if nothing was diagnosed. */
  readonly why?: Why;
  readonly whyJob?: number;
  /** What the papers measure of the same job; absent if it has no outliers, and no facts. */
  readonly measured?: Measured;
  /** Why there is no diagnosis. */
  readonly notDiagnosed?: string;
  readonly whatif?: WhatIf;
  /** This job, as B, beside another run of it, and that run's timeline. */
  readonly compare?: Compare;
  /** What the pair of runs shows of the tasks, in sentences. */
  readonly shows?: string;
  readonly other?: OtherRun;
  readonly lacks: readonly Signal[];
  readonly notes: readonly Note[];
  /** The columns of the attempts that the source has, in the order of their bytes. */
  readonly columns: readonly ColumnName[];
  /** The number of attempts whose recorded curve the page keeps, if not all: `kept-curves.ts`. */
  readonly curvesKept?: number;
}

/** A row of each phase with outliers, and a line of facts about the whole job, as printed. */
export interface Measured {
  /** `n:` stands before the titles of numbers. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly facts: string;
}

export const PAGE_HOSTS = ["simulator", "engine", "yarn", "hadoop", "spark"] as const;
export type PageHost = (typeof PAGE_HOSTS)[number];

export interface PageNode {
  readonly name: string;
  readonly rack?: string;
}

export interface PageJob {
  readonly name: string;
  readonly user?: string;
  readonly submittedAt: number;
  readonly endedAt: number;
  readonly outcome: string;
  /** Lost response time by the diagnosis, in ms; absent if the job was not diagnosed. */
  readonly delayMs?: number;
}

export interface PagePhase {
  readonly job: number;
  readonly name: string;
  readonly title?: string;
  readonly tasks: number;
  /** Phases of the same job whose outputs it reads, as indexes into the page's phases. */
  readonly reads: readonly number[];
  /** Of a task's progress, where the source names several. */
  readonly stages?: readonly Stage[];
  /** The line through durations and bytes; absent if there are too few attempts. */
  readonly fit?: { readonly alphaMs: number; readonly msPerByte: number };
}

export interface PageRow {
  /** Index into the nodes; -1 for attempts whose node is unknown. */
  readonly node: number;
  readonly kind: string;
}

/** The timeline of another run of the job, to be drawn beside this one. Times in whole ms. */
export interface OtherRun {
  readonly name: string;
  readonly endsAt: number;
  readonly nodes: readonly PageNode[];
  readonly rows: readonly PageRow[];
  /** Faults, and times at which nodes were silent or lost. */
  readonly spans: readonly NodeSpan[];
  readonly phases: readonly string[];
  /** The attempts by row and start: a list of values for each column. */
  readonly attempts: { readonly [name in OtherColumn]: readonly number[] };
  /** Of each attempt whose node fell silent before its end: its place, and for how long. */
  readonly silences: readonly (readonly [attempt: number, silentMs: number])[];
}

export const OTHER_COLUMNS = [
  "row",
  "startedAt",
  "endedAt",
  "phase",
  "task",
  "ordinal",
  "node",
  "as",
  "end",
] as const;
export type OtherColumn = (typeof OTHER_COLUMNS)[number];

/** What the policy did, with the numbers that it compared. */
export interface Decision {
  readonly at: number;
  readonly what: string;
  /** The attempt's index in the table; -1 if the decision is about none. */
  readonly attempt: number;
  /** The name of the decision's subject: `job/phase/index#n`, or empty. */
  readonly who: string;
  readonly where: string;
  readonly rule: string;
  readonly numbers: Readonly<Record<string, number | string>>;
  /** The reason in a sentence, with what the rule compared. */
  readonly text: string;
}

/** The policy repeatedly declined to make a copy, for one reason. */
export interface Refusal {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly who: string;
  readonly where: string;
  readonly rule: string;
  readonly numbers: Readonly<Record<string, number | string>>;
  /** The reason in a sentence, with what the rule compared. */
  readonly text: string;
}

/** A time in which a node was silent, or was made slow by a fault. */
export interface NodeSpan {
  readonly node: number;
  readonly what: "silent" | "lost" | "fault";
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The kind of a fault, where the journal names it: slow, kill, pause. */
  readonly fault?: string;
}

/**
 * The columns of a page's attempts, in the order of their bytes: values of the attempts' table, and
 * what was derived from it. NaN where the source lacks a value.
 */
export const COLUMNS = [
  /** Index into the head's rows. */
  "row",
  "startedAt",
  "endedAt",
  "heardAt",
  /** Index into the head's phases; `task` is the index within the phase. */
  "phase",
  "task",
  "ordinal",
  /** Index into the head's nodes; -1 if unknown. */
  "node",
  /** Indexes into ATTEMPT_KINDS and TRACE_ENDS. */
  "as",
  "end",
  /** By the diagnosis. */
  "expectedMs",
  "delayMs",
  "heldMs",
  /** Read as input or from a shuffle. */
  "inputBytes",
  "gcMs",
  "fetchWaitMs",
  /** In thousandths. */
  "score",
] as const;
export type ColumnName = (typeof COLUMNS)[number];

/**
 * The attempts, in the order of their rows and within a row of their starts. Times in whole ms
 * since the submission of the first job.
 */
export type AttemptTable = {
  readonly length: number;
  /** CURVE_POINTS values each, ms after the start; absent if the source has no progress. */
  readonly curves?: Float64Array;
} & { readonly [name in ColumnName]: Float64Array };

/** Every column, worked out by its name. */
export const columnsOf = (of: (name: ColumnName) => Float64Array) => recordOf(COLUMNS, of);
