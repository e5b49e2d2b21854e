/** How far one running task of a node lags behind its level. */
export interface Deficit {
  /** Lag in estimated time, in standard deviations; 0 if the time is not above the mean. */
  readonly time: number;
  /**
   * Lag in progress: the score that the level's tasks of the type gained in the epoch, divided by
   * the task's.
   */
  readonly rate: number;
}

export interface StragglerWeights {
  readonly timeCoefficient: number;
  readonly rateCoefficient: number;
  readonly averaged: boolean;
}

/**
 * §IV-B, first term: (EstT - mean) / deviation; the paper leaves out tasks that are estimated below
 * the mean.
 */
export function timeDeficit(of: {
  readonly estimatedMs: number;
  readonly meanMs: number;
  readonly deviationMs: number;
}): number {
  const { estimatedMs, meanMs, deviationMs } = of;
  const aboveMs = estimatedMs - meanMs;
  return aboveMs > 0 ? aboveMs / deviationMs : 0;
}

/**
 * §IV-B, second term: PR of the level / PR of the task, both as score gained in the epoch. A task
 * that gained nothing where others did is infinitely behind; where no other task gained, it is like
 * them.
 */
export function rateDeficit({
  own,
  level,
}: {
  readonly own: number;
  readonly level: number;
}): number {
  if (own > 0) return level / own;
  return level > 0 ? Number.POSITIVE_INFINITY : 1;
}

/** §IV-B: the amount that the running tasks of a node add to its straggler value in one epoch. */
export function stragglerValue(tasks: readonly Deficit[], weights: StragglerWeights): number {
  const { timeCoefficient, rateCoefficient, averaged } = weights;
  let sum = 0;
  for (const { time, rate } of tasks) {
    // 0 x Infinity is NaN.
    if (timeCoefficient > 0) sum += timeCoefficient * time;
    if (rateCoefficient > 0) sum += rateCoefficient * rate;
  }
  return averaged && tasks.length > 0 ? sum / tasks.length : sum;
}
