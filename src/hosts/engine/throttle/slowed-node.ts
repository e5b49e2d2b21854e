import { setTimeout as sleep } from "node:timers/promises";
import { Brake, PERIOD_MS } from "./brake.ts";
import type { ThrottleAccount, ThrottledNode } from "./order.ts";
import { processTime } from "./process-time.ts";

/** One node that is slowed or paused: stops and continues its process, period after period. */
export class SlowedNode {
  #wanted: ThrottledNode;
  readonly #peerRate: () => number | undefined;
  #running = false;
  #before: Omit<ThrottleAccount, "name"> = { factorMs: 0, forMs: 0, unslowedMs: 0, gotMs: 0 };

  constructor(wanted: ThrottledNode, peerRate: () => number | undefined) {
    this.#wanted = wanted;
    this.#peerRate = peerRate;
  }

  get account(): ThrottleAccount {
    return { name: this.#wanted.name, ...this.#before };
  }

  follow(wanted: ThrottledNode): void {
    this.#wanted = wanted;
    if (!this.#running && isHeld(wanted)) {
      this.#running = true;
      void this.#run().finally(() => {
        this.#running = false;
      });
    }
  }

  async #run(): Promise<void> {
    while (isHeld(this.#wanted)) {
      const { pid, factor } = this.#wanted;
      if (this.#wanted.paused) await this.#pause(pid);
      else await this.#slow(pid, factor);
      if (processTime(pid) === undefined && this.#wanted.pid === pid) return;
    }
  }

  async #pause(pid: number): Promise<void> {
    signal(pid, "SIGSTOP");
    while (this.#wanted.pid === pid && this.#wanted.paused) await sleep(PAUSE_LOOK_MS);
    signal(pid, "SIGCONT");
  }

  /** Runs while the factor and the process stay the same. */
  async #slow(pid: number, factor: number): Promise<void> {
    const brake = new Brake(factor);
    const base = this.#before;
    let cpuMs = processTime(pid);
    let at = performance.now();
    let allowedMs = 0;
    while (this.#wanted.pid === pid && this.#wanted.factor === factor && !this.#wanted.paused) {
      const now = performance.now();
      const cpuNow = processTime(pid);
      if (cpuMs === undefined || cpuNow === undefined) return;
      const elapsedMs = now - at;
      const { working } = this.#wanted;
      const peerRate = this.#peerRate();
      const sample = { elapsedMs, cpuMs: cpuNow - cpuMs, allowedMs, working, peerRate };
      const windowMs = elapsedMs > 0 ? brake.window(sample) : PERIOD_MS / factor;
      cpuMs = cpuNow;
      at = now;
      this.#before = {
        factorMs: this.#before.factorMs + factor * elapsedMs,
        forMs: this.#before.forMs + elapsedMs,
        unslowedMs: base.unslowedMs + brake.account.unslowedMs,
        gotMs: base.gotMs + brake.account.gotMs,
      };
      allowedMs = await letRun(pid, windowMs);
    }
    signal(pid, "SIGCONT");
  }
}

/**
 * Lets the process run for `windowMs`, then stops it for the rest of the period. Returns how long
 * it ran.
 */
async function letRun(pid: number, windowMs: number): Promise<number> {
  const from = performance.now();
  signal(pid, "SIGCONT");
  await sleep(windowMs);
  signal(pid, "SIGSTOP");
  const allowedMs = performance.now() - from;
  await sleep(Math.max(1, PERIOD_MS - allowedMs));
  return allowedMs;
}

/** A process that is gone needs no signal. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended in the meantime.
  }
}

const PAUSE_LOOK_MS = 10;

const isHeld = (wanted: ThrottledNode): boolean => wanted.paused || wanted.factor > 1;
