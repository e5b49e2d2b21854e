import { readFileSync } from "node:fs";
import { processes } from "./processes.ts";

/** What a process and all below it hold: the sum of their proportional set sizes, in bytes. */
export function familyBytes(root: number): number {
  const all = processes();
  const family = [root];
  for (const pid of family) {
    for (const child of all) if (child.parent === pid) family.push(child.pid);
  }
  return family.reduce((sum, pid) => sum + heldBytes(pid), 0);
}

/** 0, if it is gone. */
function heldBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    return 1024 * Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The most that a family holds, looked at every 100 ms. */
export class PeakMemory {
  bytes = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(root: number) {
    this.#timer = setInterval(() => {
      this.bytes = Math.max(this.bytes, familyBytes(root));
    }, 100);
  }

  end(): number {
    clearInterval(this.#timer);
    return this.bytes;
  }
}
