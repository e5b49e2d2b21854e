import { closeSync, openSync, writeSync } from "node:fs";

/**
 * A file of lines, written by `flush` or when many lines wait; a full disk does not stop the job.
 */
export class TextFile {
  readonly #complain: (text: string) => void;
  readonly #path: string;
  #file: number | undefined;
  #lines: string[] = [];
  #isBroken = false;
  #bytes = 0;

  constructor(path: string, complain: (text: string) => void) {
    this.#path = path;
    this.#complain = complain;
  }

  /** The number of bytes written. */
  get bytes(): number {
    return this.#bytes;
  }

  add(line: string): void {
    if (!this.#isBroken) this.#lines.push(line);
    if (this.#lines.length >= LINES_MAX) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0 || this.#isBroken) return;
    const bytes = Buffer.from(`${this.#lines.join("\n")}\n`);
    this.#lines = [];
    try {
      this.#file ??= openSync(this.#path, "a");
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#bytes += bytes.length;
    } catch (error) {
      this.#isBroken = true;
      this.#complain(`${this.#path}: nothing more is written to it: ${error}`);
    }
  }

  close(): void {
    this.flush();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#isBroken = true;
  }
}

const LINES_MAX = 200;
