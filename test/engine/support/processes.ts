import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { birthOf, type KnownProcess } from "../../../src/run/process-birth.ts";
import type { JournalLine } from "./journal.ts";

/** Commands of the engine's processes among a process's descendants, as `pid command`. */
export function childrenOf(pid: number): readonly string[] {
  return engineProcesses().flatMap((one) =>
    one.parent === pid ? [`${one.pid} ${one.command}`] : [],
  );
}

/** Node processes of each run, by its journal, that still exist. */
export function leftOf(runs: string): readonly string[] {
  return readdirSync(runs).flatMap((id) =>
    nodeProcesses(join(runs, id))
      .filter(({ pid, birth }) => birth !== undefined && birthOf(pid) === birth)
      .map(({ pid, node }) => `${id} ${node} ${pid}`),
  );
}

export interface NodeProcess extends KnownProcess {
  readonly node: string;
}

/** All node processes of the run, in the order of their start. */
export function nodeProcesses(run: string): readonly NodeProcess[] {
  const journal = join(run, "journal.ndjson");
  if (!existsSync(journal)) return [];
  // There are many other lines, and the last may be cut off.
  const lines = readFileSync(journal, "utf8").split("\n");
  return lines
    .filter((line) => line.includes('"kind":"process"'))
    .flatMap((line) => {
      const { host }: JournalLine = JSON.parse(line);
      return host?.kind === "process" ? [{ birth: undefined, ...host }] : [];
    });
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
    // The process ended between two looks.
    return undefined;
  }
}
