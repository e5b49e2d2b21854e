import { cell } from "../../base/rows.ts";
import type { Scheduled } from "./schedule.ts";

/** How much each attempt's own time and its wait weigh in the response, over all steps so far. */
export interface PathWeights {
  readonly own: Float64Array;
  readonly wait: Float64Array;
}

/**
 * Adds `weight` to each attempt on the critical path: the chain of attempts, from the last one back
 * to the job's start, in which a millisecond less of each is a millisecond less of the response.
 */
export function addPath(scheduled: Scheduled, weights: PathWeights, weight: number): void {
  const { via, viaStart, viaTimes, heldBy, cutBy, last } = scheduled;
  let i = last;
  let fromStart = false;
  let times = 1;
  // Each step goes back in time or to a winner; a path is at most twice as long as the record.
  for (let left = 2 * via.length + 2; i >= 0 && left > 0; left--) {
    if (!fromStart) {
      const winner = cell(cutBy[i]);
      if (winner >= 0) {
        i = winner;
        continue;
      }
      weights.own[i] = cell(weights.own[i]) + times * weight;
      const holder = cell(heldBy[i]);
      if (holder >= 0) {
        i = holder;
        continue;
      }
    }
    weights.wait[i] = cell(weights.wait[i]) + weight;
    fromStart = viaStart[i] === 1;
    times = cell(viaTimes[i]);
    i = cell(via[i]);
  }
}
