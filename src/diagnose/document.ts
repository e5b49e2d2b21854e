import type { Note, Signal, TraceFormat } from "../history/model.ts";
import type { JobMeasures } from "../measures/job-measures.ts";
import type { Audit } from "./audit/audit.ts";
import type { Cause } from "./cause.ts";
import type { CauseFigures, Evidence, Findings } from "./findings.ts";
import type { HintKind } from "./hints/hints.ts";
import type { Limits } from "./limits.ts";
import type { Blocked, Sized } from "./response/bounds.ts";
import type { Part } from "./response/part.ts";
import type { Spell } from "./response/spell.ts";

/** The diagnosis of one job. Times in ms. */
export interface Why extends Findings {
  /** Of the history; absent if it is not known. */
  readonly format?: TraceFormat;
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
  readonly copies: CopiesRow | undefined;
  /** What the papers measure. */
  readonly measures: JobMeasures;
  readonly lacks: readonly Signal[];
  readonly notes: readonly Note[];
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

export interface CauseRow extends CauseFigures {
  readonly cause: Cause;
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

export interface HintRow {
  readonly kind: HintKind;
  /** A sentence. */
  readonly text: string;
  readonly attempts: readonly string[];
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
