/** How long a cluster may be silent, in milliseconds. */
export interface Patience {
  /** The time after which the cluster is given up. */
  readonly patienceMs: number;
  /** The time after which the silence is first reported. */
  readonly firstMs: number;
  /** The time between two reports. */
  readonly againMs: number;
}

/**
 * Reports a cluster's silence while it lasts. A caller that waits for an answer cannot report it,
 * since a request may take long to fail.
 */
export class Silence {
  readonly #emit: (line: string) => void;
  readonly #patience: Patience;
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();
  #reportedMs = 0;
  #why = "no answer yet";

  constructor(emit: (line: string) => void, patience: Patience) {
    this.#emit = emit;
    this.#patience = patience;
    this.#timer = setInterval(() => this.#look(), Math.min(LOOK_MS, patience.firstMs)).unref();
  }

  heard(): void {
    if (this.#reportedMs > 0) this.#emit(`the cluster answers again, after ${this.#seconds}`);
    this.#heardAt = performance.now();
    this.#reportedMs = 0;
    this.#why = "no answer yet";
  }

  /** Records why an answer did not come. */
  missed(error: unknown): void {
    this.#why = error instanceof Error ? error.message : String(error);
  }

  over(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { firstMs, againMs, patienceMs } = this.#patience;
    const silentMs = performance.now() - this.#heardAt;
    if (silentMs < (this.#reportedMs === 0 ? firstMs : this.#reportedMs + againMs)) return;
    this.#reportedMs = silentMs;
    const until = `it is given up after ${Math.round(patienceMs / 1_000)} s`;
    this.#emit(`the cluster has been silent for ${this.#seconds}; ${until}: ${this.#why}`);
  }

  get #seconds(): string {
    return `${Math.round((performance.now() - this.#heardAt) / 1_000)} s`;
  }
}

const LOOK_MS = 1_000;
