import type { Sample } from "../../../base/sample.ts";

/**
 * Rising numbers, at most `most`, for finished and running tasks together, each group in proportion
 * to its number of tasks. The first tasks to finish are the fast ones: against finished tasks
 * alone, every running task would look like an outlier.
 */
export function mixed(of: {
  readonly finished: Sample;
  /** The rates of running tasks, in any order. */
  readonly running: readonly number[];
  /** The number of running tasks that they represent. */
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
  const going = thinned(rising(running), Math.round(size * (1 - share)));
  return merged(ended, going);
}

/** Above this count a typed array sorts faster, despite the copy into it. */
const FEW = 24;

/** The numbers in rising order. */
function rising(numbers: readonly number[]): ArrayLike<number> {
  if (numbers.length > FEW) return new Float64Array(numbers).sort();
  const rising: number[] = [];
  for (const number of numbers) {
    let place = rising.length;
    rising.push(number);
    for (; place > 0 && rising[place - 1]! > number; place--) rising[place] = rising[place - 1]!;
    rising[place] = number;
  }
  return rising;
}

/** The numbers of two rising lists, rising. */
function merged(some: ArrayLike<number>, others: ArrayLike<number>): readonly number[] {
  const rising: number[] = [];
  let next = 0;
  for (let i = 0; i < some.length; i++) {
    const value = some[i]!;
    while (next < others.length && others[next]! < value) rising.push(others[next++]!);
    rising.push(value);
  }
  while (next < others.length) rising.push(others[next++]!);
  return rising;
}

/** `count` of the values, evenly spread over the ranks. */
function thinned(values: ArrayLike<number>, count: number): ArrayLike<number> {
  if (count >= values.length) return values;
  const kept: number[] = [];
  for (let i = 0; i < count; i++) {
    const value = values[Math.floor(((i + 0.5) * values.length) / count)];
    if (value !== undefined) kept.push(value);
  }
  return kept;
}
