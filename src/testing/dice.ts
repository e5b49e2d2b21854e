import { integer, nextFloat, pick, type RandomState, randomState } from "../base/random.ts";

/** The random draws of a world, all from one seed. */
export class Dice {
  readonly #state: RandomState;
  readonly #wholeMs: boolean;

  constructor(seed: number, wholeMs = true) {
    this.#state = randomState(seed, "world");
    this.#wholeMs = wholeMs;
  }

  chance(probability: number): boolean {
    return nextFloat(this.#state) < probability;
  }

  /** Milliseconds below this many; whole ones, unless the world has fractional times. */
  upTo(ms: number): number {
    if (!this.#wholeMs) return nextFloat(this.#state) * ms;
    return ms === 0 ? 0 : integer(this.#state, ms);
  }

  pick<T>(items: readonly T[]): T {
    return pick(this.#state, items);
  }
}
