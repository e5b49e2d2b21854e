import { type AttemptId, type Instant, instant } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";

/** One report of an attempt. */
export interface Reading {
  readonly at: Instant;
  /** The progress score as a 32-bit float, as Hadoop's tasks send it. */
  readonly progress: number;
}

export const readingOf = (at: Instant, score: number): Reading => ({
  at,
  progress: Math.fround(score),
});

/**
 * The reports after an instant on a host that provides curves. Where curves are always fresh, the
 * readings are as frequent as the reports of Hadoop's tasks. A host that reports does so by events.
 */
export function* readingsAfter(
  view: View,
  attempt: AttemptId,
  after: Instant,
  reportMs: number,
): Generator<Reading> {
  const { progress: source } = view.attempt(attempt);
  if (source === undefined || source.kind === "reported") return;
  const { startedAt, reportEvery } = source;
  const everyMs = reportEvery > 0 ? reportEvery : reportMs;
  const timeOf = (count: number): Instant => instant(startedAt + count * everyMs);
  let count = Math.floor((after - startedAt) / everyMs) + 1;
  // Most looks fall between two reports.
  if (timeOf(count) > view.now) return;
  // The progress on a silent node is unknown.
  const until = view.progress(attempt).at;
  for (; timeOf(count) <= until; count++) {
    const at = timeOf(count);
    yield readingOf(at, view.progressAt(attempt, at).score);
  }
}
