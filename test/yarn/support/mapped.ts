import { readFileSync } from "node:fs";

/** The files that a process has in its memory, as /proc/PID/maps lists them. */
export const mappedBy = (pid: number | undefined): string =>
  pid === undefined ? "" : readFileSync(`/proc/${pid}/maps`, "utf8");
