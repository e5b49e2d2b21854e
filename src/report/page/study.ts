/** A study of the simulator, complete or not. */
export interface Study {
  readonly scenario: string;
  /** The number of runs that each row will have. */
  readonly seeds: number;
  readonly rows: readonly StudySoFar[];
}

/** A discipline at one setting. */
export interface StudySoFar {
  readonly label: string;
  /** The mean response time of the jobs by seed, in ms; the seeds of all rows are the same. */
  readonly responseMs: readonly number[];
}
