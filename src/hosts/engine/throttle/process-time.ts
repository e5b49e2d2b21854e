import { readFileSync } from "node:fs";

/** Linux's USER_HZ: /proc counts CPU time in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;
/**
 * Fields of /proc/PID/stat after the name in brackets, counted from 0: proc(5), utime and stime.
 */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/**
 * CPU milliseconds of all threads of the process, ended ones included; undefined once the process
 * is gone. The total is rounded down to 10 ms, so errors do not add up.
 */
export function processTime(pid: number): number | undefined {
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  // The name may itself hold brackets and blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK;
}

/**
 * Whether this machine reports the CPU time of processes. Without it no node can be slowed in a
 * closed loop.
 */
export const tellsProcessTime = (): boolean => processTime(process.pid) !== undefined;

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
}
