/**
 * Where to look for what the log does not explain. A hint is no cause: no seconds are taken from
 * the unexplained for it.
 */
export interface Hint {
  /** A sentence. */
  readonly text: string;
  /** Indexes into the plan: the attempts that it is about. */
  readonly attempts: readonly number[];
}
