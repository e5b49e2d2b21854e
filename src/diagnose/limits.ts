/** Limits of the diagnosis that a user may set. */
export interface Limits {
  /** With fewer peers, an attempt cannot be compared. */
  readonly peersMin: number;
  /** With fewer attempts in a phase, the median is all that is fitted. */
  readonly fitMin: number;
  /** A term of the line stays if its coefficient is this many standard errors above 0. */
  readonly tMin: number;
  /** The least factor, and its lower bound, of a node that is called slow. */
  readonly slowNodeMin: number;
  readonly slowNodeLowMin: number;
  /** A lasting slow node was slow in this many separate times. */
  readonly lastingTimesMin: number;
  /** An attempt is late beyond this many times its expected time. */
  readonly lateAbove: number;
}

export const DEFAULT_LIMITS: Limits = {
  peersMin: 3,
  fitMin: 8,
  tMin: 3,
  slowNodeMin: 1.2,
  slowNodeLowMin: 1.05,
  lastingTimesMin: 3,
  lateAbove: 1.5,
};

export const LIMIT_NAMES: readonly (keyof Limits)[] = [
  "peersMin",
  "fitMin",
  "tMin",
  "slowNodeMin",
  "slowNodeLowMin",
  "lastingTimesMin",
  "lateAbove",
];
