import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../base/input-error.ts";

/** What is read once and cannot be cut, such as standard input, put into a file of a directory. */
export class Spool {
  readonly #directory: string;
  #files = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** `-` is standard input. The file's path. */
  async take(path: string): Promise<string> {
    mkdirSync(this.#directory, { recursive: true });
    const isStandard = path === "-";
    const to = join(this.#directory, isStandard ? "standard-input" : `pipe-${++this.#files}`);
    try {
      await pipeline(isStandard ? process.stdin : createReadStream(path), createWriteStream(to));
    } catch (error) {
      if (error instanceof Error && "path" in error && error.path === to) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new InputError("bad-input", `input ${path}`, `it cannot be read: ${reason}`);
    }
    return to;
  }
}
