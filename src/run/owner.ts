import { hostname } from "node:os";
import { birthOf } from "./process-birth.ts";

/**
 * This process as the owner of something on disk: `PID@HOST`, or `PID+BIRTH@HOST` where the machine
 * reports when a process was started, since another process may get its number.
 */
export function owner(): string {
  const birth = birthOf(process.pid);
  return `${process.pid}${birth === undefined ? "" : `+${birth}`}@${hostname()}`;
}

/** Matches an owner within a name. */
export const OWNER = "\\d+(?:\\+\\d+)?@[^@]+";

/** The owner for people: `PID@HOST`. */
export const ownerText = (owner: string): string => owner.replace(/\+\d+/, "");

/** Whether the owner may still be alive; processes of other machines always may. */
export function mayBeAlive(owner: string): boolean {
  const [, pid = "", birth, host] = /^(\d+)(?:\+(\d+))?@(.+)$/.exec(owner) ?? [];
  if (host !== hostname()) return true;
  if (birth !== undefined) return birthOf(Number(pid)) === birth;
  try {
    process.kill(Number(pid), 0);
    // A process that has ended still takes signals until its parent waits for it.
    return birthOf(process.pid) === undefined || birthOf(Number(pid)) !== undefined;
  } catch (error) {
    // The process exists, but this user may not signal it.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
