import { writeSync } from "node:fs";
import { Writable } from "node:stream";

/**
 * Sends what the user's code prints in a thread straight to the node's own output. Node's own way
 * passes it through the main thread, which then can do little else while a map prints a line per
 * record, and cuts it off when the node ends. Here the map itself waits for the reader.
 */
export function printDirectly(): void {
  for (const [name, file] of [
    ["stdout", 1],
    ["stderr", 2],
  ] as const) {
    const value = new Writable({
      write(bytes: Buffer, _encoding, done) {
        writeAll(file, bytes);
        done();
      },
    });
    Object.defineProperty(process, name, { value, configurable: true });
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      // The reader is behind, and the stream is non-blocking.
      Atomics.wait(NEVER, 0, 0, FULL_MS);
    }
  }
}

const NEVER = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const FULL_MS = 1;
