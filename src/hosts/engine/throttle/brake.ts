/** What was measured of a slowed process since the previous sample. */
export interface BrakeSample {
  /** Milliseconds since the previous sample. */
  readonly elapsedMs: number;
  /** CPU time that the process used since then. */
  readonly cpuMs: number;
  /** The time for which the process was let run. */
  readonly allowedMs: number;
  /** The attempts at work in the process, without those that wait for map outputs. */
  readonly working: number;
  /**
   * CPU ms per ms of a working attempt on the unslowed nodes; undefined if no such attempt runs.
   */
  readonly peerRate: number | undefined;
}

export interface BrakeAccount {
  /** The CPU time that the process would have got unslowed while it worked, by the rule above. */
  readonly unslowedMs: number;
  /** The CPU time that the process got while it worked. */
  readonly gotMs: number;
}

export const PERIOD_MS = 100;
/** The process must send heartbeats however slow it is. */
const WINDOW_MS_MIN = 2;
/** Even a slightly slowed process stops in every period, or it would not be slowed at all. */
const WINDOW_MS_MAX = 98;
/** The rate of the running process is a mean over about this much running time. */
const RATE_MEMORY_MS = 400;
/** Debts are paid back over this many periods. */
const PAYBACK_PERIODS = 4;
/** The most that is owed either way. */
const OWED_MS_MAX = 200;

/**
 * How long a slowed process may run in each period, so that it gets `1 / factor` of the CPU time
 * that it would get unslowed.
 *
 * The brake measures what the process would get, rather than assuming it: the CPU rate of a working
 * attempt on the unslowed nodes at that time. On a contended machine a share of `1 / factor` of the
 * wall time would be wrong, since a process that runs for a moment gets more or less than processes
 * that never stop. If no other node works, the process is compared with itself while it runs.
 */
export class Brake {
  readonly #factor: number;
  #owedMs = 0;
  // Until more is known, the process is assumed to use a whole core while it runs.
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

  /** The milliseconds for which the process may run in the next period. */
  window(sample: BrakeSample): number {
    if (sample.working === 0) {
      // A waiting process saves nothing up, but still owes what it overdrew.
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

  /** Fades older samples, so that the rate follows what the process does now. */
  #remember(sample: BrakeSample): void {
    const kept = RATE_MEMORY_MS / (RATE_MEMORY_MS + sample.allowedMs);
    this.#allowedMs = this.#allowedMs * kept + sample.allowedMs;
    this.#allowedCpuMs = this.#allowedCpuMs * kept + sample.cpuMs;
  }
}

const clamp = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value));
