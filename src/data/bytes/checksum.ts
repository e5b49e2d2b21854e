import { closeSync, openSync, readSync } from "node:fs";
import { crc32 } from "./crc32.ts";

/** A checksum as journals and messages show it: `crc32:` and eight hexadecimal digits. */
export const checksumName = (checksum: number): string =>
  `crc32:${checksum.toString(16).padStart(8, "0")}`;

/** Whether the file exists and its bytes match its checksum. */
export function isIntact(file: { readonly path: string; readonly checksum: string }): boolean {
  try {
    return checksumOf(file.path) === file.checksum;
  } catch {
    return false;
  }
}

function checksumOf(path: string): string {
  const handle = openSync(path, "r");
  try {
    const block = Buffer.allocUnsafe(1024 * 1024);
    let checksum = 0;
    for (;;) {
      const size = readSync(handle, block);
      if (size === 0) return checksumName(checksum);
      checksum = crc32(block.subarray(0, size), checksum);
    }
  } finally {
    closeSync(handle);
  }
}
