import { longer } from "../../base/columns.ts";
import type { Instant } from "../../model/ids.ts";
import type { Sought } from "../../policy/shortcuts.ts";
import { growthAt, type Observed } from "./progress.ts";

/** An attempt with its score and its rate at the time of a look. */
export interface Moving<A> {
  readonly attempt: A;
  readonly score: number;
  readonly ratePerMs: number;
}

const CHANGED = Number.NEGATIVE_INFINITY;

/**
 * Running attempts whose rate changes with time, in columns, since a look goes over all of them. An
 * attempt's score is constant between two reports, so only attempts that have reported since the
 * last look are read again.
 */
export class Movers<A extends Observed & { readonly id: number }> {
  readonly #attempts: A[] = [];
  /** By attempt id: its place in the columns. */
  readonly #places = new Map<number, number>();
  #startedAt: Float64Array = new Float64Array(0);
  #score: Float64Array = new Float64Array(0);
  /** The time until which the score is constant. */
  #until: Float64Array = new Float64Array(0);

  get size(): number {
    return this.#attempts.length;
  }

  [Symbol.iterator](): Iterator<A> {
    return this.#attempts.values();
  }

  /** Adds an attempt that has run for some time. */
  add(attempt: A): void {
    const place = this.#attempts.push(attempt) - 1;
    if (place === this.#until.length) this.#makeRoom(Math.max(64, 2 * place));
    this.#places.set(attempt.id, place);
    this.#startedAt[place] = attempt.startedAt!;
    this.#until[place] = CHANGED;
  }

  /** The last attempt takes the place of the removed one. */
  delete(id: number): void {
    const place = this.#places.get(id);
    const last = place === undefined ? undefined : this.#attempts.pop();
    if (place === undefined || last === undefined) return;
    this.#places.delete(id);
    if (last.id === id) return;
    const from = this.#attempts.length;
    this.#attempts[place] = last;
    this.#places.set(last.id, place);
    this.#startedAt[place] = this.#startedAt[from]!;
    this.#score[place] = this.#score[from]!;
    this.#until[place] = this.#until[from]!;
  }

  /** The rates, in no order. */
  rates(now: Instant): Float64Array {
    this.#catchUp(now);
    const { length } = this.#attempts;
    const rates = new Float64Array(length);
    for (let i = 0; i < length; i += 1) rates[i] = this.#score[i]! / (now - this.#startedAt[i]!);
    return rates;
  }

  *seek(now: Instant, { rateBelow, ranMsMin }: Sought): Generator<Moving<A>> {
    this.#catchUp(now);
    for (const [place, attempt] of this.#attempts.entries()) {
      const startedAt = this.#startedAt[place]!;
      const score = this.#score[place]!;
      const ratePerMs = score / (now - startedAt);
      if (ratePerMs < rateBelow && now >= startedAt + ranMsMin) yield { attempt, score, ratePerMs };
    }
  }

  #catchUp(now: Instant): void {
    const { length } = this.#attempts;
    for (let i = 0; i < length; i += 1) {
      if (now < this.#until[i]!) continue;
      const { score, perMs, until } = growthAt(this.#attempts[i]!, now);
      this.#score[i] = score;
      // A score that grows is as good as changed.
      this.#until[i] = perMs === 0 ? until : CHANGED;
    }
  }

  #makeRoom(room: number): void {
    this.#startedAt = longer(this.#startedAt, room);
    this.#score = longer(this.#score, room);
    this.#until = longer(this.#until, room);
  }
}
