/** A seeded stream of random numbers, fast enough to make gigabytes: mulberry32. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e37_79b9) | 0;
  }

  /** 32 random bits, unsigned. */
  bits(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** In [0, 1), in steps of 2^-32. */
  fraction(): number {
    return this.bits() / 4_294_967_296;
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }
}
