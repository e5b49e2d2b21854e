import { closeSync, ftruncateSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

export interface WholeLine {
  readonly text: string;
  /** The byte after the line's end. */
  readonly end: number;
}

/**
 * The whole lines of a file, in order. Text after the last newline is skipped: its writer was
 * killed in the middle of the line.
 */
export function* wholeLines(path: string): Generator<WholeLine, void> {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const decoder = new StringDecoder("utf8");
    let rest = "";
    let end = 0;
    for (;;) {
      const length = readSync(file, chunk);
      if (length === 0) return;
      const lines = `${rest}${decoder.write(chunk.subarray(0, length))}`.split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        end += Buffer.byteLength(text) + 1;
        yield { text, end };
      }
    }
  } finally {
    closeSync(file);
  }
}

const CHUNK_BYTES = 1 << 20;

/** Cuts the file to this many bytes. */
export function cutFile(path: string, bytes: number): void {
  const file = openSync(path, "r+");
  try {
    ftruncateSync(file, bytes);
  } finally {
    closeSync(file);
  }
}
