import { writeSync } from "node:fs";

/** Writes all bytes to a pipe or a file, and waits for the reader. */
export function writeWhole(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(handle, bytes, at);
    } catch (error) {
      waitForPeer(error);
    }
  }
}

/** Waits if the pipe is non-blocking and its other end is behind; rethrows any other error. */
export function waitForPeer(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
  Atomics.wait(NEVER, 0, 0, BEHIND_MS);
}

const NEVER = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const BEHIND_MS = 1;
