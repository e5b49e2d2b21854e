import { RunReader } from "./run-reader.ts";

/** Reads a whole run file; true if it is there and complete, and every checksum in it holds. */
export function verifyRunFile(path: string): boolean {
  try {
    const reader = new RunReader(path);
    try {
      for (const partition of reader.segments.keys()) {
        for (const _ of reader.blocks(partition));
      }
      return true;
    } finally {
      reader.close();
    }
  } catch {
    return false;
  }
}
