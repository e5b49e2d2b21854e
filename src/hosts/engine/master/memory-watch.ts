import { readFileSync } from "node:fs";
import type { MemoryFacts } from "../run-result.ts";

/**
 * What the engine's processes hold together: the sum of their proportional set sizes, so that what
 * they share counts once.
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

  /** All processes are there, and little has been done. */
  isIdle(): void {
    this.#baseBytes ??= this.#look();
  }

  /** Looks, unless it has just done so. COST: a walk over the page tables of all processes. */
  mayLook(): void {
    if (performance.now() - this.#lookedAt >= LOOK_MS) this.#look();
  }

  /** Undefined where the machine does not tell. */
  get facts(): MemoryFacts | undefined {
    if (this.#peakBytes === 0) return undefined;
    const baseBytes = this.#baseBytes ?? this.#peakBytes;
    return { promisedBytes: this.#promisedBytes, baseBytes, peakBytes: this.#peakBytes };
  }

  #look(): number {
    const bytes = this.#pids().reduce((sum, pid) => sum + heldBy(pid), 0);
    this.#peakBytes = Math.max(this.#peakBytes, bytes);
    this.#lookedAt = performance.now();
    return bytes;
  }
}

const LOOK_MS = 500;

/** Proportional set size, proc(5). */
function heldBy(pid: number): number {
  try {
    const [, kilobytes = "0"] =
      /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    // It has ended.
    return 0;
  }
}
