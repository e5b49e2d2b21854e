import type { Instant } from "./ids.ts";

/** The amounts that make up progress. */
export interface Amounts {
  /** Progress score, 0 to 1. */
  readonly score: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly records: number;
}

/** One look at a running attempt. */
export interface Report extends Amounts {
  readonly at: Instant;
  /** When the score last changed: YARN's stall rule. */
  readonly changedAt: Instant;
  /** The index into the task's stages. */
  readonly stage: number;
}

/** From `from` on, each amount grows at a constant rate, until the next segment begins. */
export interface Segment {
  readonly from: Instant;
  readonly stage: number;
  readonly at: Amounts;
  readonly perMs: Amounts;
}

/**
 * Progress as a value. A real host sends reports; the simulator hands over a line or a curve at
 * launch, and a new one only when the speed changes, so that a simulated task costs two or three
 * events.
 */
export type ProgressSource = ReportedProgress | ForeseenProgress;

/** Progress that continues as described until a new source comes. */
export type ForeseenProgress = ProgressLine | ProgressCurve;

export type ReportedProgress = { readonly kind: "reported" } & Report;

/** One rate from the start on, in the first stage. */
export interface ProgressLine {
  readonly kind: "line";
  readonly startedAt: Instant;
  readonly scorePerMs: number;
  readonly bytesReadPerMs: number;
  /** As of a curve. */
  readonly reportEvery: number;
}

export interface ProgressCurve {
  readonly kind: "curve";
  readonly startedAt: Instant;
  /** Rising in `from`; the first begins no later than `startedAt`. */
  readonly segments: readonly Segment[];
  /** Milliseconds between the reports that a host would send; 0: progress is always fresh. */
  readonly reportEvery: number;
}

export const NO_AMOUNTS: Amounts = { score: 0, bytesRead: 0, bytesWritten: 0, records: 0 };

/** The same progress as a curve. */
export function curveOf(source: ForeseenProgress): ProgressCurve {
  if (source.kind === "curve") return source;
  const { startedAt, scorePerMs, bytesReadPerMs, reportEvery } = source;
  const perMs = { ...NO_AMOUNTS, score: scorePerMs, bytesRead: bytesReadPerMs };
  const segments = [{ from: startedAt, stage: 0, at: NO_AMOUNTS, perMs }];
  return { kind: "curve", startedAt, segments, reportEvery };
}

/** A claim about a score, which is 0 to 1. */
export type ScoreTest = (score: number) => boolean;
