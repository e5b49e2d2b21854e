import { hostname } from "node:os";
import { processTime, tellsProcessTime } from "./throttle/process-time.ts";

/** Of which process something on the disk is, this one: `PID@HOST`. */
export const owner = (): string => `${process.pid}@${hostname()}`;

/** Whether that process may be there still; of other machines, nothing is known. */
export function mayBeAlive(owner: string): boolean {
  const at = owner.indexOf("@");
  const [pid, host] = [Number(owner.slice(0, at)), owner.slice(at + 1)];
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not ours to signal, but there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  // One that has ended, and was not waited for by its parent, takes signals still.
  return !tellsProcessTime() || processTime(pid) !== undefined;
}
