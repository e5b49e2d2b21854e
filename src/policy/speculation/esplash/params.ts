export interface EsplashParams {
  /**
   * Levels that the administrator gives (§IV-A): "slow-*:1, fast-*:2", 1 the slowest. Empty: they
   * are found by performance.
   */
  readonly levels: string;
  /** k, the most levels to find. §VI has 4. */
  readonly k: number;
  /** Random starts of Algorithm 2; the paper has one, and leaves open what it may end in. */
  readonly starts: number;
  /**
   * A type of task is a dimension of the performance vectors once this fraction of the nodes has
   * finished one. Left open by §IV-A, which says what is done when every node has.
   */
  readonly coverage: number;
  /** Whether each dimension is divided by its mean before distances are taken. Left open. */
  readonly scaled: boolean;
  /** Milliseconds from one clustering to the next. Left open. */
  readonly clusterEveryMs: number;
  /** Whether a node without a level counts as one of level 1, or is left alone. Left open. */
  readonly newNodesAreLowest: boolean;
  /** Milliseconds over which progress is compared: "the past epoch" (§IV-B). Left open. */
  readonly epochMs: number;
  /** τ: a node above this straggler value is a straggler node (§IV-B). Left open. */
  readonly tau: number;
  /** Weight of the term of estimated times in the straggler value. §IV-B: 1, may be changed. */
  readonly timeCoefficient: number;
  /** Weight of the term of progress rates. §IV-B: 1, may be changed. */
  readonly rateCoefficient: number;
  /**
   * Whether a straggler value is the mean over a node's running tasks. §IV-B has the sum, which
   * grows with the node's containers.
   */
  readonly averaged: boolean;
  /**
   * Whether the progress of a node's tasks is compared with that on the other nodes of its level
   * (§IV: "compared to other nodes in the same group"), or with that of all, itself among them.
   */
  readonly othersOnly: boolean;
  /** Whether straggler values add up from epoch to epoch, as printed in §IV-B. */
  readonly accumulates: boolean;
  /**
   * Least standard deviation, as a fraction of the mean. Left open: that of few or of equal times
   * would be 0, and times change with the load far more than those of one wave tell.
   */
  readonly deviationMin: number;
  /** Milliseconds after which a request that waits is looked at again. §IV-D: "a certain time". */
  readonly requestPatienceMs: number;
  /** Whether a type is looked at while attempts of it wait for a container. YARN 2.7.1 does not. */
  readonly whileTasksWait: boolean;
  /** Milliseconds to a job's next look after one that asked for nothing. YARN 2.7.1: 1 s. */
  readonly retryAfterNoCopyMs: number;
  /** Milliseconds to a job's next look after a request. YARN 2.7.1: 15 s. */
  readonly retryAfterCopyMs: number;
}

export const ESPLASH_DEFAULTS: EsplashParams = {
  levels: "",
  k: 4,
  starts: 16,
  coverage: 0.75,
  scaled: true,
  clusterEveryMs: 60_000,
  newNodesAreLowest: true,
  epochMs: 15_000,
  tau: 2.5,
  timeCoefficient: 1,
  rateCoefficient: 1,
  averaged: true,
  othersOnly: false,
  accumulates: false,
  deviationMin: 1,
  requestPatienceMs: 15_000,
  whileTasksWait: false,
  retryAfterNoCopyMs: 1_000,
  retryAfterCopyMs: 15_000,
};

export const ESPLASH_ABOUT = {
  levels: 'levels by node name, "slow-*:1, fast-*:2", 1 the slowest; empty: found by performance',
  k: "most levels to find (4)",
  starts: "random starts of the clustering (1)",
  coverage: "fraction of the nodes that must have finished a type of task to be told apart by it",
  scaled: "whether each type's times are divided by their mean before distances are taken",
  clusterEveryMs: "time from one clustering to the next",
  newNodesAreLowest: "whether a node without a level counts as one of level 1, or is left alone",
  epochMs: "time over which progress is compared",
  tau: "straggler value above which a node is a straggler",
  timeCoefficient: "weight of estimated times in the straggler value (1)",
  rateCoefficient: "weight of progress rates in the straggler value (1)",
  averaged: "whether a straggler value is the mean over a node's tasks (false: their sum)",
  othersOnly: "whether progress is compared with the other nodes of the level alone",
  accumulates: "whether straggler values add up from epoch to epoch (true)",
  deviationMin: "least standard deviation, as a fraction of the mean",
  requestPatienceMs: "time after which a waiting request is looked at again",
  whileTasksWait: "whether a type is looked at while attempts of it wait for a container",
  retryAfterNoCopyMs: "time to a job's next look after one that asked for nothing (1,000 ms)",
  retryAfterCopyMs: "time to a job's next look after a request (15,000 ms)",
} as const;
