import { closeSync, openSync } from "node:fs";
import { writeAll } from "../../../data/bytes/write-all.ts";
import { atUserPath } from "../../../run/user-path.ts";

/**
 * A file of lines, written a few at a time; the first line creates the file. An existing file is
 * continued. InputError where the system refuses the write, as on a full disk.
 */
export class LineFile {
  readonly #path: string;
  #file: number | undefined;
  #lines: string[] = [];
  #open = true;
  /** How much may still be added, in UTF-16 units. */
  #room: number;

  /**
   * `bytesMax`: the approximate limit of the file's size. Lines beyond the limit are left out, and
   * the file says so.
   */
  constructor(path: string, bytesMax = Number.POSITIVE_INFINITY) {
    this.#path = path;
    this.#room = bytesMax;
  }

  add(line: string): void {
    if (this.#room < 0) return;
    this.#room -= line.length + 1;
    if (this.#room < 0) this.#lines.push(FULL);
    else this.#lines.push(line);
    if (this.#lines.length >= LINES_MAX) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0 || !this.#open) return;
    const bytes = Buffer.from(`${this.#lines.join("\n")}\n`);
    this.#lines = [];
    atUserPath(this.#path, "a file to write", () => {
      this.#file ??= openSync(this.#path, "a");
      writeAll({ path: this.#path, handle: this.#file }, bytes);
    });
  }

  /** Closes the file; later lines are lost. */
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
const FULL = "... no more is kept: there was too much";
