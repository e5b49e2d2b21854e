import type { SimAttempt } from "./state.ts";

/** The attempts whose work flows, by their place: the subject of their entries in the agenda. */
export class FlowingAttempts {
  /** Free places are undefined. */
  readonly #places: (SimAttempt | undefined)[] = [];
  readonly #free: number[] = [];

  enter(attempt: SimAttempt): void {
    attempt.place = this.#free.pop() ?? this.#places.length;
    this.#places[attempt.place] = attempt;
  }

  leave({ place }: SimAttempt): void {
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  at(place: number): SimAttempt | undefined {
    return this.#places[place];
  }

  /** The current attempts, in the order of their places. */
  get all(): readonly SimAttempt[] {
    return this.#places.filter((attempt) => attempt !== undefined);
  }
}
