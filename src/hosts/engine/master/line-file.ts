import { closeSync, openSync, writeSync } from "node:fs";

/**
 * A file of lines, written a few at a time; it is there from its first line on. One that was left
 * by another process is written on.
 */
export class LineFile {
  readonly #path: string;
  #file: number | undefined;
  #lines: string[] = [];
  #open = true;

  constructor(path: string) {
    this.#path = path;
  }

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= LINES_MAX) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0 || !this.#open) return;
    this.#file ??= openSync(this.#path, "a");
    const bytes = Buffer.from(`${this.#lines.join("\n")}\n`);
    this.#lines = [];
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  /** What is added later is lost. */
  close(): void {
    try {
      this.flush();
    } finally {
      this.#open = false;
      if (this.#file !== undefined) closeSync(this.#file);
    }
  }
}

const LINES_MAX = 200;
