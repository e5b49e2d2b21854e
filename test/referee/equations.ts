import { EquationsWorld } from "./equations/world.ts";
import type { Referee } from "./referee.ts";

/**
 * Ananthanarayanan et al., "Reining in the Outliers in Map-Reduce Clusters using Mantri", section
 * 5.5: each t_rem and t_new that Pseudocode 1 asks for, with rates that change, reports that stay
 * away, kills, and machines and paths that are slow.
 *
 * Where the paper is open, the referee was told (docs/papers/mantri.md):
 *
 * - Equation 2: the remainder, not the whole; the average covers five periods of 10 s or of a tenth
 *   of the attempt's age, and begins with a report. After 10 s without a report nothing was read
 *   since the last. Before the first byte a task takes as long as a new copy, for 10 s.
 * - After all input is read t_wrapup, as of the finished tasks, passes. Then the attempt is judged
 *   by its score, or takes as long again.
 * - Start-ups, of which the paper's tasks have none: where the line through the first two readings
 *   meets 0. Where the 90th percentile is above 0, time counts from the first reading.
 * - Equation 3: rates of finished and running tasks, as of the last look, which comes once in a
 *   period; the machine's factor is the median of its last 20 attempts against the medians of their
 *   phases, from five on; the path's is the same by distance. Each leaves out what the other
 *   explains. Killed attempts count with the rate that they had shown.
 * - A task without bytes is judged by its score, and its copies by the durations of such tasks.
 */
export const equations: Referee = {
  name: "equations",
  kinds: [
    ...["all read", "before two readings", "silent", "since the start", "moving average"].map(
      (part) => `eq. 2, ${part}`,
    ),
    ...["eq. 3", "eq. 3 on a node"],
  ],
  judge: (seed) => new EquationsWorld(seed).judge(),
};
