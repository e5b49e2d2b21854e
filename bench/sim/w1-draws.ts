import { log, pow } from "../../src/base/math.ts";
import { mulberry32 } from "../../src/base/random.ts";

export const SEED = 1;
const LOAD = 0.8;
const SHAPE = 1.5;
const SHORTEST_MS = 10_000;
const LONGEST_MS = 10_000_000;

/** The two random streams of workload W1: arrivals of jobs, and Pareto times of tasks. */
export class Draws {
  readonly #arrivals = mulberry32(SEED);
  readonly #durations = mulberry32(SEED ^ 0x9e3779b9);
  readonly #gapMs: number;
  #sum = 0;

  constructor({ tasksPerJob, slots }: { readonly tasksPerJob: number; readonly slots: number }) {
    // The mean of the Pareto distribution that is cut off at the longest time.
    const meanMs =
      (SHAPE * SHORTEST_MS) / (SHAPE - 1) -
      (pow(SHORTEST_MS, SHAPE) * pow(LONGEST_MS, 1 - SHAPE)) / (SHAPE - 1);
    this.#gapMs = (tasksPerJob * meanMs) / (slots * LOAD);
  }

  arrivalMs(): number {
    this.#sum += -log(1 - this.#arrivals()) * this.#gapMs;
    return Math.ceil(this.#sum);
  }

  durationMs(): number {
    return paretoMs(1 - this.#durations());
  }
}

const DOUBLE = new Float64Array(1);
const WORDS = new Uint32Array(DOUBLE.buffer);
DOUBLE[0] = 1;
const HIGH = WORDS[1] === 0 ? 0 : 1;

/** x^(-2/3) at the middle of each 256th of a significand. */
const GUESSES = Float64Array.from({ length: 256 }, (_, i) => pow(1 + (i + 0.5) / 256, -1 / SHAPE));
/** 2^(-2/3 p) for p from -LEAST to 0. */
const LEAST = 40;
const POWERS = Float64Array.from({ length: LEAST + 1 }, (_, i) => pow(2, (LEAST - i) / SHAPE));
/** The quick figure may be wrong by less than this. */
const SURE_MS = 1e-3;

/**
 * `ceil(10 s / x^(2/3))`, at most `LONGEST_MS`, for x in (2^-40, 1]. A table and two Newton steps
 * on z^3 x^2 = 1 are good to 1e-11. Where a whole number is so near that this might matter,
 * `exactMs` decides.
 */
export function paretoMs(x: number): number {
  DOUBLE[0] = x;
  const high = WORDS[HIGH]!;
  let z = GUESSES[(high >>> 12) & 255]! * POWERS[(high >>> 20) - 1023 + LEAST]!;
  const third = (x * x) / 3;
  z *= 4 / 3 - third * z * z * z;
  z *= 4 / 3 - third * z * z * z;
  const ms = SHORTEST_MS * z;
  const whole = Math.ceil(ms);
  const short = whole - ms;
  if (short < SURE_MS || short > 1 - SURE_MS) return exactMs(x);
  return Math.min(LONGEST_MS, whole);
}

export const exactMs = (x: number): number =>
  Math.min(LONGEST_MS, Math.ceil(SHORTEST_MS / pow(x, 1 / SHAPE)));
