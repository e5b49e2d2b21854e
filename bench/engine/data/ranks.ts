import type { Chance } from "./chance.ts";

/** Draws 0, 1, ... by their weights, in constant time: Walker's alias method. */
export class Ranks {
  readonly #own: Float64Array;
  readonly #other: Int32Array;

  constructor(weights: Float64Array) {
    const count = weights.length;
    const mean = weights.reduce((sum, weight) => sum + weight, 0) / count;
    this.#own = weights.map((weight) => weight / mean);
    this.#other = Int32Array.from({ length: count }, (_, rank) => rank);
    const small: number[] = [];
    const large: number[] = [];
    for (const [rank, share] of this.#own.entries()) (share < 1 ? small : large).push(rank);
    for (;;) {
      const least = small.pop();
      const most = large.pop();
      if (least === undefined || most === undefined) return;
      this.#other[least] = most;
      const left = this.#own[most]! + this.#own[least]! - 1;
      this.#own[most] = left;
      (left < 1 ? small : large).push(most);
    }
  }

  draw(chance: Chance): number {
    const rank = chance.below(this.#own.length);
    return chance.fraction() < this.#own[rank]! ? rank : this.#other[rank]!;
  }
}

/** The law of Zipf and Mandelbrot for texts: the word of rank r occurs as 1 / (r + 2.7)^1.07. */
export const zipfMandelbrot = (count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, rank) => (rank + 1 + 2.7) ** -1.07);
