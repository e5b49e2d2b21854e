import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that stands in a directory of the cluster, and so is one of its own. */
export interface StandingProcess {
  readonly pid: number;
  readonly directory: string;
  readonly command: readonly string[];
}

/**
 * Processes whose working directory is below `directory`: the daemons stand in directories made for
 * them, the containers in those of their nodes. Nothing that is written down can be as true as this
 * after a crash. A process with a terminal is somebody's shell, and none of the cluster's.
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

/** Ends what `find` finds until it finds nothing more: a process that dies may start others. */
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

/** What stands still below the directory goes on. */
export function letGo(directory: string): void {
  for (const { pid } of processesBelow(directory)) signal(pid, "SIGCONT");
}

/** A process that is gone needs no signal. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended between two looks.
  }
}

const POLL_MS = 20;
const GONE_MS = 15_000;

/** Undefined for one that has ended, and for one of another user. */
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
