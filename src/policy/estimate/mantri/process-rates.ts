import { ascending } from "../../../base/order.ts";
import type { Sample } from "../../../base/sample.ts";

/**
 * Rising numbers that stand for finished and running tasks alike, at most `most`, each group in
 * proportion to how many tasks it has. Of the finished ones alone the first would be the fast ones,
 * and all that run would look like outliers.
 */
export function mixed(of: {
  readonly finished: Sample;
  /** Of running tasks, in any order. */
  readonly running: readonly number[];
  /** How many running tasks they stand for. */
  readonly runningTasks: number;
  readonly most: number;
}): readonly number[] {
  const { finished, running, runningTasks } = of;
  if (finished.seen + runningTasks === 0) return [];
  const share = finished.seen / (finished.seen + runningTasks);
  const size = Math.min(
    of.most,
    share > 0 ? finished.rising.length / share : Number.POSITIVE_INFINITY,
    share < 1 ? running.length / (1 - share) : Number.POSITIVE_INFINITY,
  );
  const ended = thinned(finished.rising, Math.round(size * share));
  const going = thinned([...running].sort(rising), Math.round(size * (1 - share)));
  return [...ended, ...going].sort(rising);
}

const rising = ascending<number>((x) => x);

/** So many of them, evenly spread over the ranks. */
function thinned(values: readonly number[], count: number): readonly number[] {
  if (count >= values.length) return values;
  const kept: number[] = [];
  for (let i = 0; i < count; i++) {
    const value = values[Math.floor(((i + 0.5) * values.length) / count)];
    if (value !== undefined) kept.push(value);
  }
  return kept;
}
