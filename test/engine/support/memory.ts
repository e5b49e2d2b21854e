import { readdirSync, readFileSync } from "node:fs";
import { processes } from "./processes.ts";

/**
 * What a process and all below it hold, in bytes: the sum of their proportional set sizes. What is
 * mapped from files, the program itself above all, counts once, by whoever has most of it: shares
 * of it would change with what else on the machine runs Node.
 */
export function familyBytes(root: number): number {
  const all = processes();
  const family = [root];
  for (const pid of family) {
    for (const child of all) if (child.parent === pid) family.push(child.pid);
  }
  const own = family.reduce((sum, pid) => sum + kilobytes(pid, "smaps_rollup", OWN), 0);
  const files = family.map((pid) => kilobytes(pid, "status", FILES));
  return 1024 * (own + Math.max(...files));
}

const OWN = /^Pss_(?:Anon|Shmem): +(\d+) kB$/gm;
const FILES = /^RssFile:\s+(\d+) kB$/gm;

/** Whether no thread of the process wants to run, but for the main one, which heartbeats. */
export function areThreadsAsleep(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).every((thread) => {
      if (thread === String(pid)) return true;
      const text = readFileSync(`${tasks}/${thread}/stat`, "latin1");
      // The name before it, in parentheses, may hold anything.
      return text.slice(text.lastIndexOf(")") + 2).startsWith("S");
    });
  } catch {
    // One has just ended.
    return false;
  }
}

/** The sum of what the pattern finds; 0, if the process is gone. */
function kilobytes(pid: number, file: string, pattern: RegExp): number {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, "latin1");
    return [...text.matchAll(pattern)].reduce((sum, [, found]) => sum + Number(found), 0);
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
