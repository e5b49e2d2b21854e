import { type AttemptId, type Instant, instant } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";

/** What an attempt says of itself at one time. */
export interface Reading {
  readonly at: Instant;
  /** Progress score as a 32-bit float, which is what Hadoop's tasks send. */
  readonly progress: number;
}

export const readingOf = (at: Instant, score: number): Reading => ({
  at,
  progress: Math.fround(score),
});

/**
 * What a host that hands over curves would have been told after an instant. Where its curves are
 * always fresh, as often as Hadoop's tasks report. A host that reports tells by events.
 */
export function* readingsAfter(
  view: View,
  attempt: AttemptId,
  after: Instant,
  reportMs: number,
): Generator<Reading> {
  const { progress: source } = view.attempt(attempt);
  if (source?.kind !== "curve") return;
  const { startedAt, reportEvery } = source;
  const everyMs = reportEvery > 0 ? reportEvery : reportMs;
  const timeOf = (count: number): Instant => instant(startedAt + count * everyMs);
  let count = Math.floor((after - startedAt) / everyMs) + 1;
  // Most looks come between two reports.
  if (timeOf(count) > view.now) return;
  // What a silent node does is not known.
  const until = view.progress(attempt).at;
  for (; timeOf(count) <= until; count++) {
    const at = timeOf(count);
    yield readingOf(at, view.progressAt(attempt, at).score);
  }
}
