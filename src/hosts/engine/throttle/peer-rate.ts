/** The CPU rate of a working attempt on the nodes that are not slowed, over the last second. */
export class PeerRate {
  #samples: PeerSample[] = [];
  #last = new Map<number, { at: number; cpuMs: number }>();

  /** `cpuMs` is the process's total so far. */
  add(pid: number, sample: { at: number; cpuMs: number; working: number }): void {
    const last = this.#last.get(pid);
    this.#last.set(pid, { at: sample.at, cpuMs: sample.cpuMs });
    if (last === undefined || sample.working === 0) return;
    const elapsedMs = sample.at - last.at;
    this.#samples.push({
      at: sample.at,
      cpuMs: sample.cpuMs - last.cpuMs,
      workingMs: sample.working * elapsedMs,
    });
    const oldest = sample.at - MEMORY_MS;
    while (this.#samples[0] !== undefined && this.#samples[0].at < oldest) this.#samples.shift();
  }

  /** Forgets a process that is gone, or slowed from now on. */
  forget(pid: number): void {
    this.#last.delete(pid);
  }

  /** CPU ms per ms of a working attempt; undefined if too little work was measured recently. */
  at(now: number): number | undefined {
    let cpuMs = 0;
    let workingMs = 0;
    for (const sample of this.#samples) {
      if (sample.at < now - MEMORY_MS) continue;
      cpuMs += sample.cpuMs;
      workingMs += sample.workingMs;
    }
    return workingMs < WORKING_MS_MIN ? undefined : cpuMs / workingMs;
  }
}

interface PeerSample {
  readonly at: number;
  readonly cpuMs: number;
  readonly workingMs: number;
}

const MEMORY_MS = 1_000;
/** The least working time that counts, since the system counts CPU time in steps of 10 ms. */
const WORKING_MS_MIN = 200;
