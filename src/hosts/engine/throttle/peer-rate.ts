/** How much CPU a working attempt gets on the nodes that are not slowed, over the last second. */
export class PeerRate {
  #samples: PeerSample[] = [];
  #last = new Map<number, { at: number; cpuMs: number }>();

  /** `cpuMs` is the total of the process so far. */
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

  /** What is known of a process that is gone, or slowed from now on. */
  forget(pid: number): void {
    this.#last.delete(pid);
  }

  /** CPU ms per ms of a working attempt; undefined if too little was seen at work of late. */
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
/** The system counts CPU time in steps of 10 ms: less than this is noise. */
const WORKING_MS_MIN = 200;
