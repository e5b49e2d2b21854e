import { hostname } from "node:os";
import { birthOf } from "./process-birth.ts";

/**
 * Of which process something on the disk is, this one: `PID@HOST`, or `PID+BIRTH@HOST` where the
 * machine tells when a process was started, since its number may go to another.
 */
export function owner(): string {
  const birth = birthOf(process.pid);
  return `${process.pid}${birth === undefined ? "" : `+${birth}`}@${hostname()}`;
}

/** How an owner looks within a name. */
export const OWNER = "\\d+(?:\\+\\d+)?@[^@]+";

/** For people: `PID@HOST`. */
export const ownerText = (owner: string): string => owner.replace(/\+\d+/, "");

/** Whether that process may be there still; of other machines, nothing is known. */
export function mayBeAlive(owner: string): boolean {
  const [, pid = "", birth, host] = /^(\d+)(?:\+(\d+))?@(.+)$/.exec(owner) ?? [];
  if (host !== hostname()) return true;
  if (birth !== undefined) return birthOf(Number(pid)) === birth;
  try {
    process.kill(Number(pid), 0);
    // One that has ended, and was not waited for by its parent, takes signals still.
    return birthOf(process.pid) === undefined || birthOf(Number(pid)) !== undefined;
  } catch (error) {
    // Not ours to signal, but there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
