import { exp, log } from "../base/math.ts";
import { cell } from "../base/rows.ts";

/** Values this near to each other count as their mean. */
const WIDTH = 0.02;
/** Sums nearer to the expected one, in standard deviations, are no exception. */
const FAR = 2;
/** Halvings that find the tilt to the last bits that count. */
const HALVINGS = 40;
const TILT_MAX = 1e4;

/** Sums of values that are drawn from some, each as likely. */
export class DrawnSums {
  /** Ascending, and the share of each among all. */
  readonly #values: number[] = [];
  readonly #shares: number[] = [];

  constructor(all: ArrayLike<number>) {
    const sorted = Float64Array.from(all).sort();
    for (let from = 0; from < sorted.length; ) {
      const first = cell(sorted[from]);
      let [sum, count] = [0, 0];
      while (from < sorted.length && cell(sorted[from]) < first + WIDTH) {
        sum += cell(sorted[from]);
        count += 1;
        from += 1;
      }
      this.#values.push(sum / count);
      this.#shares.push(count / sorted.length);
    }
  }

  /**
   * The chance that the sum of so many draws is at least this: the saddlepoint approximation of
   * Lugannani and Rice, 1980. 1 for a sum that is no exception.
   */
  chanceOf(count: number, sum: number): number {
    const mean = sum / count;
    const most = cell(this.#values.at(-1));
    if (mean <= this.#tilted(0).mean) return 1;
    // The tilt would be infinite.
    if (mean >= most) return exp(count * log(cell(this.#shares.at(-1))));
    let [low, high] = [0, TILT_MAX];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      if (this.#tilted(middle).mean < mean) low = middle;
      else high = middle;
    }
    const { logMean, variance } = this.#tilted(low);
    const w = Math.sqrt(Math.max(0, 2 * (low * sum - count * logMean)));
    if (!(w > FAR)) return 1;
    const density = exp((-w * w) / 2) / Math.sqrt(2 * Math.PI);
    const correction = 1 / (low * Math.sqrt(count * variance)) - 1 / w;
    return Math.max(0, Math.min(1, density * (millsRatio(w) + correction)));
  }

  /** Mean and variance of values whose chances grow by exp(tilt * value), and ln of their sum. */
  #tilted(tilt: number) {
    const most = cell(this.#values.at(-1));
    let [all, first, second] = [0, 0, 0];
    for (const [n, value] of this.#values.entries()) {
      const weight = cell(this.#shares[n]) * exp(tilt * (value - most));
      all += weight;
      first += weight * value;
      second += weight * value * value;
    }
    const mean = first / all;
    return { mean, variance: second / all - mean * mean, logMean: log(all) + tilt * most };
  }
}

/** Terms of the fraction: all digits where `w` is above `FAR`. */
const TERMS = 60;

/** The chance that a normal variable is above `w`, over its density there (Laplace's fraction). */
function millsRatio(w: number): number {
  let fraction = w;
  for (let n = TERMS; n > 0; n--) fraction = w + n / fraction;
  return 1 / fraction;
}
