import { type ColumnsOf, float64, int32 } from "../../base/rows.ts";
import type { Compared } from "../../diagnose/compare/compare-text.ts";
import type { Why } from "../../diagnose/document.ts";
import { ATTEMPT } from "../../history/columns.ts";
import type { Note, Signal, TraceFormat } from "../../history/model.ts";
import type { Stage } from "../../model/job.ts";
import type { WhatIf } from "../../whatif/document.ts";

/** What a page shows: facts of a journal or a history, and the diagnosis beside them. */
export interface PageDocument {
  readonly head: PageHead;
  readonly attempts: AttemptTable;
  /** The other run that this one stands beside: its timeline alone. */
  readonly other?: PageDocument;
}

/** Everything but the long columns. Times in ms since time 0, the ms of the first submission. */
export interface PageHead {
  /** A field is only ever added. */
  readonly schema: "broomwagon/page@3";
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
  readonly measured?: TextTable;
  /** The longest queries and jobs of Spark in it; absent if it has fewer than two. */
  readonly units?: PageUnits;
  /** Why there is no diagnosis. */
  readonly notDiagnosed?: string;
  readonly whatif?: WhatIf;
  /** This job, as B, beside another run of it. */
  readonly compare?: Compared;
  /** What the pair of runs shows of the tasks, in sentences. */
  readonly shows?: string;
  readonly lacks: readonly Signal[];
  readonly notes: readonly Note[];
  /** The number of attempts whose recorded curve the page keeps, if not all: `kept-curves.ts`. */
  readonly curvesKept?: number;
}

/** A table as printed, and a line of facts below it. */
export interface TextTable {
  /** `n:` stands before the titles of numbers. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly facts: string;
}

export interface PageUnits extends TextTable {
  readonly title: string;
  /** When the unit of each row ran. */
  readonly spans: readonly Pick<PageJob, "submittedAt" | "endedAt">[];
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
  /** Absent where attempts name none: `executor` of an attempt counts in it. */
  readonly executors?: readonly string[];
  /** Why attempts ended without a result: `reason` of an attempt counts in it. */
  readonly reasons?: readonly string[];
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
 * The columns of a page's attempts: those of a history, after what was derived from it. Times in ms
 * since the page's time 0; `node` is an index into the head's nodes.
 */
export const PAGE_ATTEMPT = {
  row: int32("index into the head's rows"),
  phase: int32("index into the head's phases"),
  expectedMs: float64("what peers took for as many bytes on a node of usual speed, whole ms"),
  delayMs: float64("response time lost by it, whole ms"),
  heldMs: float64("wait for its input after its start, whole ms"),
  ...ATTEMPT,
} as const;

/**
 * The attempts in the order of their phases and, within a phase, of their starts; in a live page in
 * the order in which frames brought them.
 */
export interface AttemptTable extends ColumnsOf<typeof PAGE_ATTEMPT> {
  readonly length: number;
  /**
   * CURVE_POINTS values each, ms after the start; absent if the source has no progress. In whole
   * ms, but for the diagnosed job if a page simulates it whole.
   */
  readonly curves?: Float32Array;
}

/** The attempts of the largest job that a page simulates whole, and not a sample of it. */
export const SIMULATED_MAX = 5_000;

/** Whether a page has what a simulation of its job needs: the progress of all its attempts. */
export const isSimulated = ({ curvesKept }: PageHead, attempts: number): boolean =>
  curvesKept === undefined || attempts <= SIMULATED_MAX;
