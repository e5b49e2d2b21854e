import { integer, pick, randomState } from "../base/random.ts";

/** How long the attempts of a world take, and how often its core looks around meanwhile. */
export interface Pace {
  readonly askAgainMs: number;
  /** For policies that look at fixed intervals: Spark's. */
  readonly lookEveryMs: number;
  /**
   * What a task takes at most, where nothing slows it down; trouble comes so often, and jobs arrive
   * in a few times as long.
   */
  readonly longestMs: number;
}

/** One world of so many looks around as often as the systems do: ten times a second in Spark. */
const RESTLESS = 10;

/**
 * Looks at which nothing has changed find few bugs, and would take most of the time of many worlds:
 * in most worlds they are rare.
 */
export function planPace(seed: number): Pace {
  const dice = randomState(seed, "pace");
  const longestMs = pick(dice, [60_000, 20_000, 5_000, 5_000]);
  return integer(dice, RESTLESS) === 0
    ? { longestMs, askAgainMs: pick(dice, [200, 3_000, 10_000]), lookEveryMs: 100 }
    : {
        longestMs,
        askAgainMs: pick(dice, [2_000, 3_000, 10_000]),
        lookEveryMs: pick(dice, [1_000, 3_000]),
      };
}
