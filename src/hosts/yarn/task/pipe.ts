import { writeSync } from "node:fs";

/** Writes all of it to a pipe or a file, and waits for the reader. */
export function writeWhole(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(handle, bytes, at);
    } catch (error) {
      waitForPeer(error);
    }
  }
}

/** If the other end is only behind, and the pipe is non-blocking. */
export function waitForPeer(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
  Atomics.wait(NEVER, 0, 0, BEHIND_MS);
}

const NEVER = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const BEHIND_MS = 1;
