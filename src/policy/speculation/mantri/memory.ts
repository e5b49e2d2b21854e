import type { Distribution } from "../../../base/distribution.ts";
import type { AttemptId, Instant, PhaseId, TaskId } from "../../../model/ids.ts";
import type { Context } from "../../policy.ts";
import type { MantriParams } from "./params.ts";

/** Plain data. */
export interface MantriMemory {
  readonly looks: Map<PhaseId, MantriLook>;
  /** When the next unjudged task can be judged; Infinity if there is none. */
  firstReportAt: number;
}

export type MantriContext = Context<MantriParams, MantriMemory>;

/** The state of a phase since the last look at it. Plain data. */
export interface MantriLook {
  /** When the phase was first looked at. */
  readonly since: Instant;
  readonly nextAt: Instant;
  /** Whether all that the phase reads was there at the last look. */
  readonly hadInput: boolean;
  readonly candidates: Candidates;
  /**
   * Tasks that could not be judged yet, or have begun since the look; the earliest report comes
   * first.
   */
  readonly unreported: FirstReport[];
}

/** A task that another run would help, on an average node. Plain data. */
export interface Candidate {
  readonly task: TaskId;
  readonly gainMs: number;
  /** The task's Δ. */
  readonly periodMs: number;
}

/** Candidates, the one that another run would help most first. Plain data. */
export interface Candidates {
  readonly inOrder: Candidate[];
  readonly byTask: Map<TaskId, Candidate>;
}

/** A task that can be judged only from a later time on. Plain data. */
export interface FirstReport {
  readonly task: TaskId;
  readonly at: Instant;
}

/** A task whose attempts have all reported, and the time that another run of it would take. */
export interface Standing {
  readonly task: TaskId;
  /** c, the task's running copies. */
  readonly copies: number;
  /** The first copy; the only one where the attempt matters. */
  readonly attempt: AttemptId;
  /** t_rem of the copy that will be the first to end. */
  readonly timeLeftMs: number;
  /** t_new. */
  readonly newCopy: Distribution;
  /** E(t_new). */
  readonly newCopyMs: number;
  /** Δ. */
  readonly periodMs: number;
  readonly restarts: number;
}
