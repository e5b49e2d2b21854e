import { ascending } from "../../base/order.ts";
import type { SimAttempt, SimNode } from "./state.ts";

/** The attempts whose work flows, by their place: the subject of their entries in the agenda. */
export class FlowingAttempts {
  /** Free places are undefined. */
  readonly #places: (SimAttempt | undefined)[] = [];
  readonly #free: number[] = [];

  /** The reduces in their copy stage. */
  readonly copying = new Set<SimAttempt>();

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

  /** The attempts that a fault of the node may concern, in the order of their places. */
  concernedBy({ serves }: SimNode): readonly SimAttempt[] {
    return [...new Set([...serves, ...this.copying])].sort(ascending(({ place }) => place));
  }
}
