import { onPaper } from "../../base/on-paper.ts";
import { select } from "../../base/select.ts";
import { SortedList } from "../../base/sorted-list.ts";
import type { Instant } from "../../model/ids.ts";
import type { Sought } from "../../policy/shortcuts.ts";
import { Movers, type Moving } from "./movers.ts";
import { type Observed, rateAt, steadyRate } from "./progress.ts";

/**
 * The progress rates of a phase's running and succeeded attempts. An index holds the rates that do
 * not change: those of succeeded attempts, and of running attempts that have kept one speed. The
 * others are computed on demand. Nothing is kept until a policy asks.
 */
export class PhaseRates<A extends Observed & { readonly id: number }> {
  readonly #standing = new SortedList<{ readonly id: number }>();
  /** The rate of each attempt in the index, by the attempt's id. */
  readonly #standingRate = new Map<number, number>();
  readonly #moving = new Movers<A>();
  /** Attempts that had run for no time at the last look: 0/0 is no rate. */
  readonly #newborn = new Map<number, A>();
  /** Running attempts with a constant rate, by the end, on paper, that they reach at that rate. */
  readonly #ends = new SortedList<A>();

  /** `shed`: the rates of succeeded attempts that have gone from memory. */
  constructor(
    tasks: Iterable<{ readonly attempts: readonly A[] }>,
    shed: readonly number[],
    now: Instant,
  ) {
    for (const task of tasks) for (const attempt of task.attempts) this.#enter(attempt, now);
    shed.forEach((rate, index) => {
      this.#standing.add(rate, { id: -1 - index });
    });
  }

  /**
   * Call this after each change of the attempt: a start, a report, a change of its node, an end.
   */
  update(attempt: A, now: Instant): void {
    this.#forget(attempt);
    this.#enter(attempt, now);
  }

  /** Drops the attempt and keeps its rate. */
  shed(attempt: A): void {
    this.#standingRate.delete(attempt.id);
  }

  /** The q-th percentile of the rates, interpolated; NaN if there are no rates. */
  percentile(q: number, now: Instant): number {
    this.#catchUp(now);
    const moving = this.#moving.rates(now);
    const count = moving.length + this.#standing.size;
    if (count === 0) return Number.NaN;
    const rank = (q / 100) * (count - 1);
    const below = Math.floor(rank);
    const low = this.#kth(below, moving);
    return rank === below ? low : low + (rank - below) * (this.#kth(below + 1, moving) - low);
  }

  /** Running attempts whose estimated end is fixed, latest first. */
  latestEnds(now: Instant): Iterable<{ readonly key: number; readonly item: A }> {
    this.#catchUp(now);
    return this.#ends.descending();
  }

  /** The other running attempts. */
  *movers(now: Instant): Generator<A> {
    this.#catchUp(now);
    yield* this.#moving;
    yield* this.#newborn.values();
  }

  /** The other running attempts that are sought and have run for some time. */
  soughtMovers(now: Instant, sought: Sought): Iterable<Moving<A>> {
    this.#catchUp(now);
    return this.#moving.seek(now, sought);
  }

  #catchUp(now: Instant): void {
    this.#grow(now);
    this.#overrun(now);
  }

  /** Gives rates to the attempts that have now run for some time. */
  #grow(now: Instant): void {
    for (const attempt of this.#newborn.values()) {
      // Attempts are in the order of their starts: all behind the first that is too young are too
      // young.
      if (attempt.startedAt! >= now) return;
      this.#newborn.delete(attempt.id);
      this.#enterGrown(attempt);
    }
  }

  /**
   * Moves attempts that have run past the end of their curve out of the index: their rates now
   * fall.
   */
  #overrun(now: Instant): void {
    for (let first = this.#ends.first(); first !== undefined; first = this.#ends.first()) {
      if (first.key > now) return;
      this.#forget(first.item);
      this.#moving.add(first.item);
    }
  }

  #enter(attempt: A, now: Instant): void {
    if (attempt.state === "succeeded") {
      this.#stand(attempt, rateAt(attempt, attempt.endedAt!));
    } else if (attempt.state === "running") {
      if (attempt.startedAt! >= now) this.#newborn.set(attempt.id, attempt);
      else this.#enterGrown(attempt);
    }
  }

  #enterGrown(attempt: A): void {
    const rate = steadyRate(attempt);
    if (rate === undefined) {
      this.#moving.add(attempt);
      return;
    }
    this.#stand(attempt, rate);
    this.#ends.add(steadyEnd(attempt, rate), attempt);
  }

  #stand(attempt: A, rate: number): void {
    this.#standing.add(rate, { id: attempt.id });
    this.#standingRate.set(attempt.id, rate);
  }

  #forget(attempt: A): void {
    const { id } = attempt;
    this.#moving.delete(id);
    this.#newborn.delete(id);
    const rate = this.#standingRate.get(id);
    if (rate === undefined) return;
    this.#standing.remove(rate, { id });
    this.#standingRate.delete(id);
    this.#ends.remove(steadyEnd(attempt, rate), attempt);
  }

  /** The k-th smallest of all rates, from 0. Reorders the moving rates. */
  #kth(k: number, moving: Float64Array): number {
    let from = 0;
    let end = moving.length;
    // Invariant: the moving rates before `from` are among the k smallest, those from `end` on not.
    while (from < end) {
      const place = (from + end) >> 1;
      const rate = select(moving.subarray(from, end), place - from);
      const rank = place + this.#standing.countBelow(rate);
      if (rank === k) return rate;
      if (rank < k) from = place + 1;
      else end = place;
    }
    return this.#standing.keyAt(k - from);
  }
}

/** The time, on paper, at which an attempt that keeps its rate reaches score 1. */
const steadyEnd = (attempt: Observed, rate: number): number =>
  onPaper(attempt.startedAt! + 1 / rate);
