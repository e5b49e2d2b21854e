import type { AttemptRecord } from "../state/records.ts";
import type { Core } from "./core.ts";

/**
 * Tells the statistics of a change of the attempt: a start, a report, a change of its node, an end.
 */
export function changed({ now, state }: Core, attempt: AttemptRecord): void {
  attempt.phase.rates?.update(attempt, now);
  state.nodeScores.changed(attempt.node);
}
