import { assert } from "../../base/assert.ts";
import { inOrder } from "../../base/in-order.ts";
import { onPaper } from "../../base/on-paper.ts";
import type { Instant } from "../../model/ids.ts";
import type { EstimatorShortcuts, Sought } from "../../policy/shortcuts.ts";
import type { AttemptRecord } from "../state/records.ts";
import type { PhaseRates } from "../statistics/rates.ts";

/** How an estimator judges an attempt. */
export interface Judge {
  /**
   * Whether the order of the index of attempts that have kept one speed is the order of times left.
   */
  readonly steady: boolean;
  readonly timeLeft: (attempt: AttemptRecord) => number;
  /** The time left for an attempt's score and rate, if it depends on nothing else. */
  readonly timeLeftBy: EstimatorShortcuts["timeLeftBy"];
}

/** An attempt with its estimated end, as it is on paper. */
interface Ranked {
  readonly attempt: AttemptRecord;
  readonly end: number;
}

/**
 * The phase's running attempts, longest time left first, ties by id. Under a steady estimator an
 * index yields the attempts that have kept one speed in order; the others are estimated now and
 * merged in. All are ranked by their estimated ends, as these do not move in the index: an end from
 * the index and one from an estimate are equal if they are equal on paper. Attempts that are not
 * sought may be left out. COST: O(attempts that are not in the index), and the logarithm of those
 * that are sought for each that the caller takes.
 */
export function* longestFirst(
  rates: PhaseRates<AttemptRecord>,
  judge: Judge,
  now: Instant,
  sought?: Sought,
): Generator<AttemptRecord> {
  const judged = judgedMovers(rates, judge, now, sought);
  const ends = rates.latestEnds(now);
  if (!judge.steady) {
    for (const { item } of ends) judged.push(ranked(item, now, judge.timeLeft(item)));
  }
  const others = inOrder(judged, isBefore);
  let other = others.next().value;
  if (judge.steady) {
    for (const { key, item } of ends) {
      const standing: Ranked = { attempt: item, end: key };
      while (other !== undefined && isBefore(other, standing)) {
        yield other.attempt;
        other = others.next().value;
      }
      yield item;
    }
  }
  while (other !== undefined) {
    yield other.attempt;
    other = others.next().value;
  }
}

function judgedMovers(
  rates: PhaseRates<AttemptRecord>,
  { timeLeft, timeLeftBy }: Judge,
  now: Instant,
  sought: Sought | undefined,
): Ranked[] {
  const judged: Ranked[] = [];
  if (sought !== undefined && timeLeftBy !== undefined) {
    for (const { attempt, score, ratePerMs } of rates.soughtMovers(now, sought)) {
      judged.push(ranked(attempt, now, timeLeftBy({ score, rate: ratePerMs })));
    }
    return judged;
  }
  for (const attempt of rates.movers(now)) judged.push(ranked(attempt, now, timeLeft(attempt)));
  return judged;
}

function ranked(attempt: AttemptRecord, now: Instant, timeLeft: number): Ranked {
  assert(!Number.isNaN(timeLeft), "a time left is a number");
  return { attempt, end: onPaper(now + timeLeft) };
}

const isBefore = (a: Ranked, b: Ranked): boolean =>
  a.end === b.end ? a.attempt.id < b.attempt.id : a.end > b.end;
