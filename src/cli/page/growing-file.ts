import { fstatSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 1 << 16;
const LINE_END = 10;

/**
 * A file of lines that another process writes. An incomplete line is read again later: the process
 * that resumes a killed run cuts it off and continues.
 */
export class GrowingFile {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The byte after the last whole line. */
  #end = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
  }

  /** When the file was last written, as milliseconds since 1970. */
  get grewAt(): number {
    return fstatSync(this.#file).mtimeMs;
  }

  /** The next whole lines; empty if there are none yet. */
  read(): readonly string[] {
    let held = Buffer.alloc(0);
    for (;;) {
      const from = this.#end + held.length;
      const length = readSync(this.#file, this.#buffer, 0, CHUNK_BYTES, from);
      if (length === 0) return [];
      const bytes = Buffer.concat([held, this.#buffer.subarray(0, length)]);
      const last = bytes.lastIndexOf(LINE_END);
      if (last >= 0) {
        this.#end += last + 1;
        return bytes.toString("utf8", 0, last).split("\n");
      }
      held = bytes;
    }
  }
}
