import { integer, pick, randomState } from "../base/random.ts";

/** The times of a world's attempts, and the intervals of its core's looks. */
export interface Pace {
  readonly askAgainMs: number;
  /** For policies that look at fixed intervals: Spark's. */
  readonly lookEveryMs: number;
  /**
   * The longest time of a task without a slow-down; trouble comes at this interval, and jobs arrive
   * within a few times as long.
   */
  readonly longestMs: number;
  /** Whether all times are whole milliseconds; sums of other times are rounded. */
  readonly wholeMs: boolean;
}

/** One world in this many looks as often as the real systems do: ten times a second in Spark. */
const RESTLESS = 10;

/**
 * Looks without a change find few bugs, and would take most of the time of many worlds, so they are
 * rare in most worlds.
 */
export function planPace(seed: number): Pace {
  const dice = randomState(seed, "pace");
  const longestMs = pick(dice, [60_000, 20_000, 5_000, 5_000]);
  const isRestless = integer(dice, RESTLESS) === 0;
  const askAgainMs = pick(dice, isRestless ? [200, 3_000, 10_000] : [2_000, 3_000, 10_000]);
  const lookEveryMs = isRestless ? 100 : pick(dice, [1_000, 3_000]);
  return { longestMs, askAgainMs, lookEveryMs, wholeMs: integer(dice, 2) === 0 };
}
