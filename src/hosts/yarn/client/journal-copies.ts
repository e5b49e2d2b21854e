import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LogFollower, type ReadLogEnd } from "./container-log.ts";

interface Copy {
  readonly path: string;
  readonly log: LogFollower;
  hasLines: boolean;
  /** Lines were missed, so later lines would not replay. */
  isBroken: boolean;
}

/** Copies of the journals of a job's ApplicationMasters, as far as they have been written. */
export class JournalCopies {
  readonly #directory: string;
  readonly #onBegun: (path: string) => void;
  readonly #copies = new Map<string, Copy>();

  /** `onBegun` is called with the path of each copy, once it has lines. */
  constructor(directory: string, onBegun: (path: string) => void) {
    this.#directory = directory;
    this.#onBegun = onBegun;
  }

  /** The job has ended, and its journals are kept elsewhere. */
  remove(): void {
    for (const { path } of this.#copies.values()) rmSync(path, { force: true });
  }

  /** Adds to the copy what the master in the container has written since the last look. */
  async look(container: string, read: ReadLogEnd): Promise<void> {
    const path = join(this.#directory, `live-${container}.ndjson`);
    const copy = this.#copies.get(container) ?? {
      path,
      log: new LogFollower(),
      hasLines: false,
      isBroken: false,
    };
    this.#copies.set(container, copy);
    if (copy.isBroken) return;
    const { lines, passedOverBytes } = await copy.log.newLines(read);
    copy.isBroken = passedOverBytes > 0;
    if (copy.isBroken || lines.length === 0) return;
    appendFileSync(copy.path, `${lines.join("\n")}\n`);
    if (!copy.hasLines) this.#onBegun(copy.path);
    copy.hasLines = true;
  }
}
