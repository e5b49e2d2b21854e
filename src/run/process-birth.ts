import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A process in a form that identifies it later, when another process may have its number. */
export interface KnownProcess {
  readonly pid: number;
  /** Undefined where the machine does not report it. */
  readonly birth: string | undefined;
}

/**
 * When the process was started, in ticks since the system's start: proc(5), starttime. Undefined if
 * the process has ended, even if its parent has not waited for it, and where there is no /proc.
 */
export function birthOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name may itself hold brackets and blanks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[STATE] === "Z" || fields[STATE] === "X" ? undefined : fields[START_TIME];
  } catch {
    return undefined;
  }
}

/** Fields of /proc/PID/stat after the name in brackets, counted from 0. */
const STATE = 0;
const START_TIME = 19;

/**
 * Kills the processes that still exist, stopped or not, and waits until they are gone. A process
 * without a known birth is left alone, since its number may belong to another.
 */
export async function endLeftovers(processes: readonly KnownProcess[]): Promise<number> {
  const left = processes.filter(isThere);
  for (const { pid } of left) kill(pid);
  for (const one of left) {
    for (let waitedMs = 0; isThere(one); waitedMs += POLL_MS) {
      if (waitedMs >= GONE_MS) throw new Error(`process ${one.pid} does not end when it is killed`);
      await sleep(POLL_MS);
    }
  }
  return left.length;
}

const POLL_MS = 10;
const GONE_MS = 10_000;

const isThere = ({ pid, birth }: KnownProcess): boolean =>
  birth !== undefined && birthOf(pid) === birth;

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process ended before the signal.
  }
}
