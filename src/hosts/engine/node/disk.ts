import fs, { openSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * The disk of a node, as its slot threads see it. While the node's disk is full, writes to files go
 * to /dev/full instead, where the kernel answers ENOSPC: every write fails as on a full disk, in
 * the user's code and in the engine's.
 */
export function watchDisk(full: Int32Array): void {
  const write = fs.writeSync;
  let nowhere: number | undefined;
  const writeOrFail = (file: number, ...what: readonly unknown[]): unknown => {
    const isFull = file > STANDARD_ERROR && Atomics.load(full, 0) === 1;
    if (isFull) nowhere ??= openSync("/dev/full", "w");
    return Reflect.apply(write, fs, [isFull ? nowhere : file, ...what]);
  };
  // Modules that import `writeSync` by name get the replacement too.
  Object.assign(fs, { writeSync: writeOrFail });
  syncBuiltinESMExports();
}

export const newDisk = (): Int32Array<SharedArrayBuffer> =>
  new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

const STANDARD_ERROR = 2;
