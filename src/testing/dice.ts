import { integer, nextFloat, pick, type RandomState, randomState } from "../base/random.ts";

/** The random draws of a world, all from one seed. */
export class Dice {
  readonly #state: RandomState;

  constructor(seed: number) {
    this.#state = randomState(seed, "world");
  }

  chance(probability: number): boolean {
    return nextFloat(this.#state) < probability;
  }

  /** Whole milliseconds below this many. */
  upTo(ms: number): number {
    return ms === 0 ? 0 : integer(this.#state, ms);
  }

  pick<T>(items: readonly T[]): T {
    return pick(this.#state, items);
  }
}
