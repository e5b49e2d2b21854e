import { readdirSync, readFileSync } from "node:fs";

/** Commands of the engine's processes that are below a process, as `pid command`. */
export function childrenOf(pid: number): readonly string[] {
  return engineProcesses().flatMap((one) =>
    one.parent === pid ? [`${one.pid} ${one.command}`] : [],
  );
}

/** All processes of the engine on this machine. */
export const engineProcesses = (): readonly Process[] =>
  processes().filter(({ command }) => OURS.test(command));

/** Started from the compiled modules, or from the bundle. */
const OURS = /\/dist\/(hosts\/engine|bundle)\//;

/** All processes on this machine. */
export function processes(): readonly Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => read(Number(name)) ?? []);
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** R, S, T (stopped) and so on. */
  readonly state: string;
}

function read(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").join(" ").trim();
    return { pid, parent: Number(parent), command, state };
  } catch {
    // It ended between two looks.
    return undefined;
  }
}
