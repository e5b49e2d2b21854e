import { readFileSync } from "node:fs";

/** The files mapped into a process's memory, from /proc/PID/maps. */
export const mappedBy = (pid: number | undefined): string =>
  pid === undefined ? "" : readFileSync(`/proc/${pid}/maps`, "utf8");
