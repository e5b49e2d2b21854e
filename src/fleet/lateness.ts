import { exp, log } from "../base/math.ts";
import { cell } from "../base/rows.ts";

/** Bins of the lateness of attempts, in robust sigmas; what lies beyond counts in the last one. */
const WIDTH = 0.25;
const FROM = -6;
const BINS = 104;
/** Neighbours are about as frequent: weights of a bin and those beside it. */
const SMOOTHED = [1, 2, 3, 2, 1];
/** Where no attempt was, one may come. */
const PRIOR = 0.5;
/** How much slower a slow node may be: 0.5 to 15 sigmas. */
const SHIFTS = Array.from({ length: 59 }, (_, n) => n + 2);

/** How frequent each lateness is among all attempts of a fleet. */
export class Lateness {
  /** ln of the smoothed number of attempts in each bin. */
  readonly #logs: Float64Array;

  /** `all`: in sigmas. */
  constructor(all: readonly number[]) {
    const counts = new Float64Array(BINS);
    for (const value of all) {
      const bin = binOf(value);
      counts[bin] = cell(counts[bin]) + 1;
    }
    this.#logs = counts.map((_, bin) => log(smoothed(counts, bin) + PRIOR));
  }

  /**
   * ln of how much likelier attempts of one node in one job are on a node that is slower by some
   * factor, every one as likely, than by luck: a slow node slows all its attempts, and bad luck one
   * of several. Whether so many sigmas are rare among nodes, other nodes tell.
   */
  logRatio(attempts: readonly number[]): number {
    const bins = attempts.map(binOf);
    const ratios = SHIFTS.map((shift) => {
      let sum = 0;
      for (const bin of bins) {
        sum += cell(this.#logs[Math.max(0, bin - shift)]) - cell(this.#logs[bin]);
      }
      return sum;
    });
    const most = Math.max(...ratios);
    const mean = ratios.reduce((sum, ratio) => sum + exp(ratio - most), 0) / SHIFTS.length;
    return most + log(mean);
  }
}

const binOf = (value: number): number =>
  Math.max(0, Math.min(BINS - 1, Math.floor((value - FROM) / WIDTH)));

/** The weighted mean of a bin and its neighbours. */
function smoothed(counts: Float64Array, bin: number): number {
  let [sum, weights] = [0, 0];
  for (const [n, weight] of SMOOTHED.entries()) {
    const at = bin + n - (SMOOTHED.length >> 1);
    if (at < 0 || at >= BINS) continue;
    sum += weight * cell(counts[at]);
    weights += weight;
  }
  return sum / weights;
}
