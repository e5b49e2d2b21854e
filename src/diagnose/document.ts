import type { TraceEnd } from "../history/columns.ts";
import type { Note, Recorded, Signal, TraceFormat, TraceJob } from "../history/model.ts";
import type { JobMeasures } from "../measures/job-measures.ts";
import type { PhaseMeasures } from "../measures/phase-measures.ts";
import type { AttemptKind } from "../model/attempt.ts";
import type { Audit } from "./audit/audit.ts";
import type { Cause } from "./cause.ts";
import type { EvidenceRow } from "./evidence/evidence.ts";
import type { NodeVerdict } from "./expect/node-effect.ts";
import type { HintKind } from "./hints/hint.ts";
import type { Limits } from "./limits.ts";
import type { PhaseUse } from "./phase-use.ts";
import type { Blocked, Sized } from "./response/bounds.ts";
import type { Part } from "./response/part.ts";
import type { Spell } from "./response/spell.ts";
import type { Skew } from "./skew.ts";

/** The diagnosis of one job. Times in ms. */
export interface Why {
  readonly job: JobFacts;
  /** Of the history; absent if it is not known. */
  readonly format?: TraceFormat;
  readonly responseMs: number;
  /** Response time lost: what the job took minus what its typical attempts would have taken. */
  readonly delayMs: number;
  readonly usualMs: number;
  /** What the usual time consists of: the largest first. They add up to `usualMs`. */
  readonly parts: readonly PartRow[];
  /** The recorded time in which no attempt ran. */
  readonly idle: IdleRow;
  readonly slots: SlotsRow;
  /** What attempts waited for, and what the response would gain at most without it. */
  readonly blocked: readonly Blocked[];
  /** The response with other numbers of slots; attempts take as long as they took. */
  readonly sizes: readonly Sized[];
  /** Slot time of all attempts: of a lost one, until its node was last heard. */
  readonly slotMs: number;
  /** The answer in sentences, one per line; the first is the headline. */
  readonly verdict: string;
  /** The largest first. */
  readonly causes: readonly CauseRow[];
  /** Where to look for the unexplained; no causes. */
  readonly hints: readonly HintRow[];
  /** The part of `unexplained` that comes from a schedule that changed. */
  readonly scheduleChangedMs: number;
  readonly phases: readonly PhaseRow[];
  readonly nodes: readonly NodeRow[];
  /** The attempts that cost most, the worst first. */
  readonly attempts: readonly AttemptRow[];
  readonly copies: CopiesRow | undefined;
  /** What the papers measure. */
  readonly measures: JobMeasures;
  readonly lacks: readonly Signal[];
  readonly notes: readonly Note[];
  /** What the log is, where there is something to say: what it lacks, and why attempts failed. */
  readonly evidence?: EvidenceRow;
  readonly limits: Limits;
}

/**
 * What the diagnosis says about every attempt of a phase, beside the document: a value per row of
 * the phase's columns. In ms.
 */
export interface PhaseFacts {
  /** The time that it should have taken on a node of usual speed; NaN if it has too few peers. */
  readonly expectedMs: Float64Array;
  /** Its part of the lost response time. */
  readonly delayMs: Float64Array;
  /** From its start until its input was complete; NaN if the attempt waited for no phase. */
  readonly heldMs: Float64Array;
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

export interface CauseRow {
  readonly cause: Cause;
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

export interface PartRow {
  readonly part: Part;
  readonly ms: number;
  /** Both are `ms` where the record measures the part, whatever is usual. */
  readonly lowMs?: number;
  readonly highMs?: number;
  readonly evidence: readonly Evidence[];
}

/** In ms; the record as it is, without a model of what is usual. */
export interface IdleRow {
  /** No attempt ran: the sum of the next three. */
  readonly ms: number;
  /** No task was due. */
  readonly driverMs: number;
  /** Tasks were due, and no slot existed. */
  readonly noSlotMs: number;
  /** Tasks were due, and a slot was free. */
  readonly launchingMs: number;
  /** The number of times at which nothing ran. */
  readonly spells: number;
  /** The places at which most of it was, the largest first. */
  readonly places: readonly IdlePlace[];
  readonly kinds: readonly IdleKind[];
  readonly longest: readonly Spell[];
}

export interface IdlePlace extends Evidence, Pick<Spell, "part" | "at"> {}

/** All places of a kind. */
export interface IdleKind extends Pick<Spell, "part" | "at" | "ms"> {
  readonly count: number;
}

/** The slots of the job, as the log names them. */
export interface SlotsRow {
  /** The most that there were at once; where the log names none, that were used at once. */
  readonly most: number;
  readonly isRecorded: boolean;
  /** Of those, the slots that came after the first tasks were due. */
  readonly late?: {
    readonly slots: number;
    /** The median. */
    readonly byMs: number;
    /** From when the first tasks were due until the last one was done. */
    readonly tookMs: number;
    /** The same, if all slots had been there. */
    readonly wouldTakeMs: number;
  };
  /** When each ApplicationMaster started, since the submission. */
  readonly masterStarts?: readonly number[];
}

/** An attempt or a node, and its part of the cause's seconds. */
export interface Evidence {
  readonly what: string;
  readonly ms: number;
}

export interface HintRow {
  readonly kind: HintKind;
  /** A sentence. */
  readonly text: string;
  readonly attempts: readonly string[];
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

export type CopiesRow = Omit<Audit, "copies"> & {
  readonly made: number;
  readonly each: readonly {
    readonly copy: string;
    readonly node: string;
    readonly originalNode: string;
    readonly won: boolean;
    readonly wastedMs: number;
    readonly taskSavedMs: number;
    readonly tooLate: boolean;
    readonly by: "progress" | "peers";
  }[];
};
