import type { Fact } from "./fact.ts";
import type { AttemptId } from "./ids.ts";

type Dying = Extract<Fact, { readonly kind: "attempt-dying" }>;

/**
 * Milliseconds from the core's request for an attempt's end until the attempt would have ended at
 * its mean rate so far; undefined if its score is 0. An estimate.
 */
export function announcedMs({ at, startedAt, score }: Dying): number | undefined {
  if (startedAt === undefined || score <= 0) return undefined;
  return ((at - startedAt) * (1 - score)) / score;
}

/**
 * The time that copies saved, an estimate. When a copy succeeds first, the core asks for the end of
 * the task's other attempts in the same step. Saved time: the earliest end that these attempts had
 * announced - the end of the copy.
 */
export class SavedTime {
  totalMs = 0;
  readonly #ofCopies = new Map<AttemptId, number>();
  /** The copy that succeeded last. */
  #winner: Extract<Fact, { readonly kind: "attempt-ended" }> | undefined;

  apply(fact: Fact): void {
    if (fact.kind === "attempt-ended") {
      if (fact.as === "speculative" && fact.end.how === "succeeded") this.#winner = fact;
    } else if (fact.kind === "attempt-dying") {
      const winner = this.#winner;
      if (winner?.task === fact.task && winner.at === fact.at) this.#save(winner.attempt, fact);
    }
  }

  /** undefined if the attempt is no copy that won, or the time it saved is unknown. */
  of(copy: AttemptId): number | undefined {
    return this.#ofCopies.get(copy);
  }

  #save(copy: AttemptId, other: Dying): void {
    const announced = announcedMs(other);
    if (announced === undefined) return;
    const before = this.#ofCopies.get(copy);
    const saved = Math.min(before ?? announced, announced);
    this.#ofCopies.set(copy, saved);
    this.totalMs += saved - (before ?? 0);
  }
}
