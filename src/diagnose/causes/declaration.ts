import type { Expectation } from "../expect/expect.ts";
import type { PhaseFit } from "../expect/phase-fit.ts";
import type { Signals } from "../expect/signals.ts";
import type { CauseFigures, Findings } from "../findings.ts";
import type { Plan } from "../schedule/planned.ts";

/** What a cause is called: the page carries these words, and its worker all the rest. */
export interface CauseWords<Name extends string> {
  readonly name: Name;
  /** In tables and pictures. */
  readonly label: string;
  /** How the seconds of an attempt are found, in the help of the page. */
  readonly help: string;
}

/** All that is known of a cause of lateness. */
export interface CauseDeclaration<Name extends string> {
  readonly name: Name;
  /** Absent for what is found beside the parts of an attempt: see attempt-causes.ts. */
  readonly part?: PartOfAttempt;
  /** Whether an executor's first attempts have more of it than the later ones. */
  readonly isOfStart?: true;
  /**
   * Whether the cause could have made the attempt longer than its seconds say. Without it, the
   * interval of the cause takes nothing of the unexplained.
   */
  readonly couldTouch?: (compared: Compared) => (i: number) => boolean;
  /** What else can be told of its seconds. */
  readonly details?: (cost: Cost) => Partial<CauseFigures>;
  /** How the cause ends the sentence "12 s ...". */
  readonly clause: (found: Findings, row: CauseFigures) => string;
  /** What can be seen of a cause that is large, and may be none. */
  readonly unsure?: (found: Findings, row: CauseFigures) => readonly string[];
  /** Why its seconds are a gain: "less 12 s ...". */
  readonly gained?: string;
  /** The lower its rank, the earlier it stands in the answer. */
  readonly advice?: { readonly rank: number; readonly of: Advise };
  /** Its seconds in a what-if, where no policy changes them. */
  readonly fixed?: string;
}

/** What to do, in sentences, where the evidence carries it. */
export type Advise = (found: Findings, row: CauseFigures) => readonly string[];

/** The attempts of a job, and what each is compared with. */
export interface Compared {
  readonly plan: Plan;
  readonly signals: Signals;
  readonly expectation: Expectation;
}

/** A part of an attempt's own time, as if it ran on a node of usual speed. */
export interface PartOfAttempt {
  /** Whether the fit expects the part of any attempt in that place. */
  readonly isExpected: boolean;
  readonly of: (compared: Compared) => (i: number, fit: PhaseFit, factor: number) => number;
}

/** What a cause cost the response. */
export interface Cost {
  readonly plan: Plan;
  /** From when an attempt could begin until it began. */
  readonly waits: Float64Array;
  /** How much the waits weigh in the response. */
  readonly weights: Float64Array;
  readonly costOf: (i: number) => number;
}
