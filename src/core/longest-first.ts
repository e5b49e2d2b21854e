import { assert } from "../base/assert.ts";
import type { Instant } from "../model/ids.ts";
import type { PhaseRates } from "./rates.ts";
import type { AttemptRecord } from "./records.ts";

interface Ranked {
  readonly attempt: AttemptRecord;
  readonly timeLeft: number;
}

/**
 * The phase's running attempts, longest time left first, ties by id. Under a steady estimator an
 * index yields the attempts that have kept one speed in order; the others are estimated now and
 * merged in.
 */
export function* longestFirst(
  rates: PhaseRates<AttemptRecord>,
  steady: boolean,
  now: Instant,
  timeLeft: (attempt: AttemptRecord) => number,
): Generator<AttemptRecord> {
  const judged: Ranked[] = [];
  const judge = (attempt: AttemptRecord): void => {
    const left = timeLeft(attempt);
    assert(!Number.isNaN(left), "a time left is a number");
    judged.push({ attempt, timeLeft: left });
  };
  for (const attempt of rates.movers(now)) judge(attempt);
  const ends = rates.latestEnds(now);
  if (!steady) for (const { item } of ends) judge(item);
  judged.sort(longerFirst);
  let next = 0;
  if (steady) {
    for (const { key, item } of ends) {
      const standing: Ranked = { attempt: item, timeLeft: key - now };
      while (next < judged.length && longerFirst(judged[next]!, standing) < 0) {
        yield judged[next++]!.attempt;
      }
      yield item;
    }
  }
  while (next < judged.length) yield judged[next++]!.attempt;
}

function longerFirst(a: Ranked, b: Ranked): number {
  if (a.timeLeft !== b.timeLeft) return a.timeLeft > b.timeLeft ? -1 : 1;
  return a.attempt.id - b.attempt.id;
}
