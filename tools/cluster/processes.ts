import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A process whose working directory belongs to the cluster, and that is therefore the cluster's.
 */
export interface StandingProcess {
  readonly pid: number;
  readonly directory: string;
  readonly command: readonly string[];
}

/**
 * The processes whose working directory is below `directory`: daemons run in directories of their
 * own, containers in those of their nodes. After a crash this is more reliable than any file of
 * process ids. A process with a terminal is a user's shell, and not part of the cluster.
 *
 * COST: a look at each process of the machine.
 */
export function processesBelow(directory: string): readonly StandingProcess[] {
  const found: StandingProcess[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    const standsIn = whereItStands(pid);
    if (standsIn === undefined || !`${standsIn}/`.startsWith(`${directory}/`)) continue;
    const command = commandOf(pid);
    if (command === undefined || pid === process.pid || hasTerminal(pid)) continue;
    found.push({ pid, directory: standsIn, command });
  }
  return found;
}

/** Kills what `find` finds until it finds nothing more: a process that dies may start others. */
export async function endAll(find: () => readonly StandingProcess[]): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const found = find();
    if (found.length === 0) return;
    if (waitedMs >= GONE_MS) {
      throw new Error(`process ${found[0]?.pid} does not end when it is killed`);
    }
    for (const { pid } of found) signal(pid, "SIGKILL");
    await sleep(POLL_MS);
  }
}

/** Continues all stopped processes below the directory. */
export function letGo(directory: string): void {
  for (const { pid } of processesBelow(directory)) signal(pid, "SIGCONT");
}

/** A process that is gone needs no signal. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended in the meantime.
  }
}

const POLL_MS = 20;
const GONE_MS = 15_000;

/** The process's working directory; undefined if it has ended, or belongs to another user. */
function whereItStands(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, "");
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return undefined;
  }
}

/** Field of /proc/PID/stat after the name in brackets, counted from 0: proc(5), tty_nr. */
const TERMINAL = 4;

function hasTerminal(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[TERMINAL] !== "0";
  } catch {
    return false;
  }
}
