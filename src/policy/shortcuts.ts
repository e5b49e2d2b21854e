import type { Instant, PhaseId } from "../model/ids.ts";

/**
 * What a policy declares so that the core does less work for the same decisions. A policy decides
 * the same without these fields, only more slowly.
 */

export interface OrderShortcuts {
  /**
   * Whether an untouched task has its index as key and never ignores locality. Tasks without
   * replicas then need no memory before their launch.
   */
  readonly freshByIndex?: boolean;
  /**
   * Whether `eligible` now refuses all waiting tasks of a phase on every slot. Such a phase is left
   * out of a search, in which each of its tasks would be asked about.
   */
  holdsAll?(phase: WaitingPhase): boolean;
}

/** A phase, the number of its tasks that wait, and the time of the search. */
export interface WaitingPhase {
  readonly id: PhaseId;
  readonly waiting: number;
  readonly now: Instant;
}

export interface SpeculationShortcuts {
  /**
   * Whether `onIdleSlot` does nothing but refuse while no attempt of the job runs. It is then asked
   * about such jobs only if refusals are explained.
   */
  readonly idleNeedsAttempts?: boolean;
}

export interface EstimatorShortcuts {
  /**
   * Whether an attempt whose score has grown at one rate from 0 keeps its estimated end, so that an
   * index may hold it.
   */
  readonly steady: boolean;
  /**
   * `timeLeft` of an attempt with this score, of 0 to 1, and this rate, in score per millisecond:
   * for estimators whose answer depends on nothing else. A look at many attempts is then cheaper.
   */
  timeLeftBy?(of: { readonly score: number; readonly rate: number }): number;
}

/** The bounds of the attempts on which a policy may act: a listing may leave out the others. */
export interface Sought {
  /** Only attempts of a lower rate, in score per millisecond. */
  readonly rateBelow: number;
  /** Only attempts that have run for at least this time, in milliseconds. */
  readonly ranMsMin: number;
}
