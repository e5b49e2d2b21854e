import { setTimeout as sleep } from "node:timers/promises";
import { Brake, PERIOD_MS } from "../../../src/hosts/engine/throttle/brake.ts";
import { processTime } from "../../../src/hosts/engine/throttle/process-time.ts";
import { signal } from "../processes.ts";

/**
 * Slows all processes of a node's containers together: in each period they run for a while and are
 * stopped for the rest, so that they get `1 / factor` of the CPU time that they take when they run.
 * The CPU time is measured, and errors are compensated in later periods.
 */
export class HeldNode {
  readonly #find: () => readonly number[];
  readonly #factor: number;
  #cpuMs = new Map<number, number>();
  #stopped: readonly number[] = [];

  constructor(find: () => readonly number[], factor: number) {
    this.#find = find;
    this.#factor = factor;
  }

  /** Slows the processes until the signal comes; then all continue. */
  async hold(end: AbortSignal): Promise<void> {
    let brake = new Brake(this.#factor);
    let at = performance.now();
    let allowedMs = 0;
    this.#usedMs(this.#find());
    while (!end.aborted) {
      const pids = this.#find();
      const now = performance.now();
      const cpuMs = this.#usedMs(pids);
      const elapsedMs = now - at;
      at = now;
      // The processes of the next container owe nothing for those of the last.
      if (pids.length === 0) brake = new Brake(this.#factor);
      const working = pids.length === 0 ? 0 : 1;
      const sample = { elapsedMs, cpuMs, allowedMs, working, peerRate: undefined };
      const windowMs = elapsedMs > 0 ? brake.window(sample) : PERIOD_MS / this.#factor;
      allowedMs = await this.#letRun(pids, windowMs);
    }
    this.#goOn();
  }

  /** CPU time that the processes used since the last call; new processes start at 0. */
  #usedMs(pids: readonly number[]): number {
    const before = this.#cpuMs;
    this.#cpuMs = new Map();
    let usedMs = 0;
    for (const pid of pids) {
      const cpuMs = processTime(pid);
      if (cpuMs === undefined) continue;
      this.#cpuMs.set(pid, cpuMs);
      usedMs += cpuMs - (before.get(pid) ?? 0);
    }
    return usedMs;
  }

  /** Returns how long the processes ran. */
  async #letRun(pids: readonly number[], windowMs: number): Promise<number> {
    const from = performance.now();
    this.#goOn();
    await sleep(windowMs);
    for (const pid of pids) signal(pid, "SIGSTOP");
    this.#stopped = pids;
    const allowedMs = performance.now() - from;
    await sleep(Math.max(1, PERIOD_MS - allowedMs));
    return allowedMs;
  }

  #goOn(): void {
    for (const pid of this.#stopped) signal(pid, "SIGCONT");
    this.#stopped = [];
  }
}
