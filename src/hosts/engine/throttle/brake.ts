/** What was seen of a slowed process since the sample before. */
export interface BrakeSample {
  /** Since the sample before, in ms. */
  readonly elapsedMs: number;
  /** CPU that the process used in that time. */
  readonly cpuMs: number;
  /** How long of that time it was let run. */
  readonly allowedMs: number;
  /** Attempts at work in it, not those that wait for map outputs. */
  readonly working: number;
  /** CPU ms per ms of a working attempt on the unslowed nodes; undefined if there is none. */
  readonly peerRate: number | undefined;
}

export interface BrakeAccount {
  /** CPU that it would have got while it worked, by the rule above. */
  readonly unslowedMs: number;
  /** CPU that it got while it worked. */
  readonly gotMs: number;
}

export const PERIOD_MS = 100;
/** Its heartbeats must go on however slow it is. */
const WINDOW_MS_MIN = 2;
/** Even a little slowed process stops in every period, or it would not be slowed at all. */
const WINDOW_MS_MAX = 98;
/** The rate while it is let run is a mean over about this much time of being let run. */
const RATE_MEMORY_MS = 400;
/** What it is owed is paid back over so many periods. */
const PAYBACK_PERIODS = 4;
/** No more than this is owed either way. */
const OWED_MS_MAX = 200;

/**
 * How long a slowed process may run in each period, so that it gets `1 / factor` of the CPU time
 * that it would get unslowed.
 *
 * What it would get is measured, not assumed: the CPU rate of a working attempt on the unslowed
 * nodes at that time. On a contended machine a share of `1 / factor` of the wall time would be
 * wrong, since a process that is let run for a moment gets more or less than those that never stop.
 * If no other node works, it is compared with itself while it is let run.
 */
export class Brake {
  readonly #factor: number;
  #owedMs = 0;
  // Until more is known, it takes a whole core when it is let run.
  #allowedMs = PERIOD_MS;
  #allowedCpuMs = PERIOD_MS;
  #unslowedMs = 0;
  #gotMs = 0;

  constructor(factor: number) {
    this.#factor = factor;
  }

  get account(): BrakeAccount {
    return { unslowedMs: this.#unslowedMs, gotMs: this.#gotMs };
  }

  /** Milliseconds to let it run in the next period. */
  window(sample: BrakeSample): number {
    if (sample.working === 0) {
      // It saves nothing up while it waits; what it took too much it still owes.
      this.#owedMs = Math.min(this.#owedMs, 0);
      return clamp(PERIOD_MS / this.#factor, WINDOW_MS_MIN, WINDOW_MS_MAX);
    }
    this.#remember(sample);
    const whileAllowed = this.#allowedCpuMs / this.#allowedMs;
    const unslowed =
      sample.peerRate === undefined ? whileAllowed : sample.peerRate * sample.working;
    this.#unslowedMs += unslowed * sample.elapsedMs;
    this.#gotMs += sample.cpuMs;
    const target = unslowed / this.#factor;
    const owed = this.#owedMs + target * sample.elapsedMs - sample.cpuMs;
    this.#owedMs = clamp(owed, -OWED_MS_MAX, OWED_MS_MAX);
    const cpuWanted = target * PERIOD_MS + this.#owedMs / PAYBACK_PERIODS;
    return clamp(cpuWanted / Math.max(whileAllowed, 0.05), WINDOW_MS_MIN, WINDOW_MS_MAX);
  }

  /** Older time fades, so that the rate follows what the process does now. */
  #remember(sample: BrakeSample): void {
    const kept = RATE_MEMORY_MS / (RATE_MEMORY_MS + sample.allowedMs);
    this.#allowedMs = this.#allowedMs * kept + sample.allowedMs;
    this.#allowedCpuMs = this.#allowedCpuMs * kept + sample.cpuMs;
  }
}

const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value));
