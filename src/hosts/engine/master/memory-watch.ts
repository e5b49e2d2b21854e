import { readFile } from "node:fs/promises";
import type { MemoryFacts } from "../../../run/run-result.ts";

/**
 * The memory of all engine processes together: the sum of their proportional set sizes, so that
 * shared pages count once.
 */
export class MemoryWatch {
  readonly #promisedBytes: number;
  readonly #pids: () => readonly number[];
  #baseBytes: number | undefined;
  #peakBytes = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(promisedBytes: number, pids: () => readonly number[]) {
    this.#promisedBytes = promisedBytes;
    this.#pids = pids;
  }

  /** Records the base: all processes run, and no job has work. */
  isIdle(): void {
    void this.#look("base");
  }

  /** Measures the memory, unless it was measured a moment ago. `isIdle`: there is still no work. */
  mayLook({ isIdle = false } = {}): void {
    if (performance.now() - this.#lookedAt < LOOK_MS) return;
    void this.#look(isIdle ? "base" : "peak");
  }

  /** Undefined where the machine does not report memory. */
  get facts(): MemoryFacts | undefined {
    if (this.#peakBytes === 0) return undefined;
    const baseBytes = this.#baseBytes ?? this.#peakBytes;
    return { promisedBytes: this.#promisedBytes, baseBytes, peakBytes: this.#peakBytes };
  }

  /** COST: walks the page tables of all processes, in the background. */
  async #look(what: "base" | "peak"): Promise<void> {
    this.#lookedAt = performance.now();
    const held = await Promise.all(this.#pids().map(heldBy));
    const bytes = held.reduce((sum, one) => sum + one, 0);
    if (what === "base") this.#baseBytes = bytes;
    this.#peakBytes = Math.max(this.#peakBytes, bytes);
  }
}

const LOOK_MS = 500;

/** The proportional set size of the process, in bytes: proc(5). */
async function heldBy(pid: number): Promise<number> {
  try {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, "latin1");
    const [, kilobytes = "0"] = /^Pss:\s+(\d+) kB/m.exec(text) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    // The process has ended.
    return 0;
  }
}
