import { readdirSync, readFileSync } from "node:fs";
import { processes } from "./processes.ts";

/**
 * The memory of a process and its descendants, in bytes: the sum of their proportional set sizes.
 * File mappings, above all the program itself, count once, by the process with most of them: their
 * shares would change with other Node processes on the machine.
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

/** Whether no thread of the process is runnable but the main one, which heartbeats. */
export function areThreadsAsleep(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).every((thread) => {
      if (thread === String(pid)) return true;
      const text = readFileSync(`${tasks}/${thread}/stat`, "latin1");
      // The name before the state, in parentheses, may contain anything.
      return text.slice(text.lastIndexOf(")") + 2).startsWith("S");
    });
  } catch {
    // A thread has just ended.
    return false;
  }
}

/** The sum of the pattern's matches; 0 if the process is gone. */
function kilobytes(pid: number, file: string, pattern: RegExp): number {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, "latin1");
    return [...text.matchAll(pattern)].reduce((sum, [, found]) => sum + Number(found), 0);
  } catch {
    return 0;
  }
}

/** The most memory of a process with its descendants, sampled every 100 ms. */
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
