import type { TraceEnd } from "../history/columns.ts";
import type { Recorded, TraceJob } from "../history/model.ts";
import type { PhaseMeasures } from "../measures/phase-measures.ts";
import type { AttemptKind } from "../model/attempt.ts";
import type { EvidenceRow } from "./evidence/evidence.ts";
import type { NodeVerdict } from "./expect/node-effect.ts";
import type { PhaseUse } from "./phase-use.ts";
import type { Skew } from "./skew.ts";

/** What is found of a job, whatever its causes are: their sentences are made of it. In ms. */
export interface Findings {
  readonly job: JobFacts;
  readonly responseMs: number;
  readonly phases: readonly PhaseRow[];
  readonly nodes: readonly NodeRow[];
  /** The attempts that cost most, the worst first. */
  readonly attempts: readonly AttemptRow[];
  /** What the log is, where there is something to say: what it lacks, and why attempts failed. */
  readonly evidence?: EvidenceRow;
}

export interface JobFacts {
  readonly id: string;
  readonly name: string;
  /** The part of the job that was diagnosed; absent if it was all of it. */
  readonly part?: NonNullable<TraceJob["part"]>;
  readonly user?: string;
  readonly outcome: TraceJob["outcome"];
  readonly attempts: number;
  readonly nodes: number;
  readonly settings: Recorded;
}

/** What a cause cost, whichever it is. */
export interface CauseFigures {
  readonly ms: number;
  readonly lowMs?: number;
  readonly highMs?: number;
  readonly couldBeMs?: number;
  /** What fixing only this would have saved. */
  readonly aloneMs: number;
  /** For waiting to start: what attempts waited for, as far as the log shows. */
  readonly parts?: readonly Evidence[];
  /** For waiting to start: nodes for whose slots attempts waited, beside free slots elsewhere. */
  readonly waitedFor?: readonly Evidence[];
  /** For garbage collection: the one executor or node that has nearly all of it, if one has. */
  readonly mostOn?: Evidence;
  readonly evidence: readonly Evidence[];
}

/** An attempt or a node, and its part of the cause's seconds. */
export interface Evidence {
  readonly what: string;
  readonly ms: number;
}

export interface PhaseRow {
  readonly phase: string;
  /** The system's name for the phase. */
  readonly title?: string;
  /** What a stage of a query does, in the order in which rows pass. */
  readonly operators?: readonly string[];
  readonly tasks: number;
  readonly attempts: number;
  readonly delayMs: number;
  readonly use: PhaseUse;
  /** Whether attempts ran both near their data and away from it. */
  readonly isPlaced: boolean;
  /** Absent if not all bytes are known, or no task reads much more than the median. */
  readonly skew?: Skew;
  /** What Mantri measures of a phase; absent if no task succeeded. */
  readonly measures?: PhaseMeasures;
  /** The time that a typical attempt takes; absent if there are too few to compare. */
  readonly fit?: {
    readonly typicalMs: number;
    readonly msPerByte: number;
    readonly meanBytes: number;
    readonly farMs: number;
    readonly firstMs: number;
    readonly gcMs: number;
    readonly fetchMs: number;
  };
}

export interface NodeRow {
  readonly node: string;
  readonly attempts: number;
  readonly times: number;
  readonly factor: number;
  readonly lowFactor: number;
  readonly highFactor: number;
  /** Response time that its attempts cost for no reason that the log holds. */
  readonly unexplainedMs: number;
  readonly verdict: NodeVerdict;
  /** Since the job's submission: when it was slow, from or until then; its factors are of then. */
  readonly slowFromMs?: number;
  readonly slowUntilMs?: number;
}

export interface AttemptRow {
  /** `phase/index#ordinal`. */
  readonly attempt: string;
  readonly node: string;
  readonly as: AttemptKind;
  readonly end: TraceEnd;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly expectedMs: number;
  /** Its part of the lost seconds. */
  readonly delayMs: number;
  readonly inputBytes?: number;
}
