import { writeSync } from "node:fs";

/** A file that is open for writing. */
export interface OpenFile {
  readonly path: string;
  readonly handle: number;
}

/**
 * Writes all of the bytes. Where the system says no, as it does when the disk is full, the error
 * names the file: of a mere handle the system says only that a write has failed.
 */
export function writeAll({ path, handle }: OpenFile, bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
  } catch (error) {
    if (error instanceof Error) error.message += ` '${path}'`;
    throw error;
  }
}
