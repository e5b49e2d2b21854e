import { writeSync } from "node:fs";

/** A file open for writing. */
export interface OpenFile {
  readonly path: string;
  readonly handle: number;
}

/**
 * Writes all of the bytes. If the system refuses, as when the disk is full, the error names the
 * file: the system's error about a bare handle names none.
 */
export function writeAll({ path, handle }: OpenFile, bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
  } catch (error) {
    if (error instanceof Error) error.message += `${wanted(error, bytes.length)} '${path}'`;
    throw error;
  }
}

/** A hint for a full disk. */
function wanted(error: Error, bytes: number): string {
  if (!("code" in error) || (error.code !== "ENOSPC" && error.code !== "EDQUOT")) return "";
  return ` of ${bytes} bytes; free some, or name another disk by --run-dir or --output:`;
}
