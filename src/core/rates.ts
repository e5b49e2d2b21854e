import { SortedList } from "../base/sorted-list.ts";
import type { Instant } from "../model/ids.ts";
import { type Observed, rateAt, steadyRate } from "./progress.ts";

/**
 * The progress rates of a phase's running and succeeded attempts. Rates that stand still, those of
 * succeeded attempts and of running ones that have kept one speed, lie in an index; the others are
 * computed when asked for. Nothing is kept until somebody asks.
 */
export class PhaseRates<A extends Observed & { readonly id: number }> {
  private readonly standing = new SortedList<{ readonly id: number }>();
  /** The standing rate of each attempt in the index. */
  private readonly standingRate = new Map<A, number>();
  private readonly moving = new Set<A>();
  /** Running attempts that have run for no time yet, at the last look: 0/0 is no rate. */
  private readonly newborn = new Set<A>();
  /** Steady running attempts, by the time at which they end if nothing changes. */
  private readonly ends = new SortedList<A>();

  /** `shed`: rates of succeeded attempts that have gone from memory. */
  constructor(
    tasks: Iterable<{ readonly attempts: readonly A[] }>,
    shed: readonly number[],
    now: Instant,
  ) {
    for (const task of tasks) for (const attempt of task.attempts) this.enter(attempt, now);
    shed.forEach((rate, index) => {
      this.standing.add(rate, { id: -1 - index });
    });
  }

  /** After anything happened to the attempt: a start, a report, a change of its node, an end. */
  update(attempt: A, now: Instant): void {
    this.forget(attempt);
    this.enter(attempt, now);
  }

  /** The attempt goes from memory; its rate stays. */
  shed(attempt: A): void {
    this.standingRate.delete(attempt);
  }

  /** Interpolated; NaN if there are none. */
  percentile(q: number, now: Instant): number {
    this.catchUp(now);
    const moving: number[] = [];
    for (const attempt of this.moving) moving.push(rateAt(attempt, now));
    moving.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const ranks = moving.map((rate, i) => i + this.standing.countBelow(rate));
    const count = moving.length + this.standing.size;
    if (count === 0) return Number.NaN;
    const rank = (q / 100) * (count - 1);
    const below = Math.floor(rank);
    const low = this.kth(below, moving, ranks);
    return rank === below ? low : low + (rank - below) * (this.kth(below + 1, moving, ranks) - low);
  }

  /** Running attempts whose estimated end stands still, latest first. */
  latestEnds(now: Instant): Iterable<{ readonly key: number; readonly item: A }> {
    this.catchUp(now);
    return this.ends.descending();
  }

  /** The other running attempts. */
  *movers(now: Instant): Generator<A> {
    this.catchUp(now);
    yield* this.moving;
    yield* this.newborn;
  }

  private catchUp(now: Instant): void {
    this.grow(now);
    this.overrun(now);
  }

  /** Attempts that have begun to run: from there on they have a rate. */
  private grow(now: Instant): void {
    for (const attempt of this.newborn) {
      // In the order of their starts: those behind the first that is too young are as young.
      if (attempt.startedAt! >= now) return;
      this.newborn.delete(attempt);
      this.enterGrown(attempt);
    }
  }

  /** Attempts that run on beyond the end of their curve: from there on their rates fall. */
  private overrun(now: Instant): void {
    for (let first = this.ends.first(); first !== undefined; first = this.ends.first()) {
      if (first.key > now) return;
      this.forget(first.item);
      this.moving.add(first.item);
    }
  }

  private enter(attempt: A, now: Instant): void {
    if (attempt.state === "succeeded") {
      this.stand(attempt, rateAt(attempt, attempt.endedAt!));
    } else if (attempt.state === "running") {
      if (attempt.startedAt! >= now) this.newborn.add(attempt);
      else this.enterGrown(attempt);
    }
  }

  private enterGrown(attempt: A): void {
    const rate = steadyRate(attempt);
    if (rate === undefined) {
      this.moving.add(attempt);
      return;
    }
    this.stand(attempt, rate);
    this.ends.add(steadyEnd(attempt, rate), attempt);
  }

  private stand(attempt: A, rate: number): void {
    this.standing.add(rate, attempt);
    this.standingRate.set(attempt, rate);
  }

  private forget(attempt: A): void {
    this.moving.delete(attempt);
    this.newborn.delete(attempt);
    const rate = this.standingRate.get(attempt);
    if (rate === undefined) return;
    this.standing.remove(rate, attempt);
    this.standingRate.delete(attempt);
    this.ends.remove(steadyEnd(attempt, rate), attempt);
  }

  private kth(k: number, moving: readonly number[], ranks: readonly number[]): number {
    let taken = 0;
    while (taken < ranks.length && ranks[taken]! <= k) taken++;
    if (taken > 0 && ranks[taken - 1] === k) return moving[taken - 1]!;
    return this.standing.keyAt(k - taken);
  }
}

/** When an attempt that keeps its rate has done everything. */
const steadyEnd = (attempt: Observed, rate: number): number => attempt.startedAt! + 1 / rate;
