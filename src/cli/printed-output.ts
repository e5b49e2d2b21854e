import { randomBytes } from "node:crypto";
import { createReadStream, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "../hosts/engine/index.ts";
import type { Sink } from "./shell.ts";

/** Where a job's output stays until it is printed: for `--output -`. */
export class PrintedOutput {
  /** The engine makes it, as any output. */
  readonly directory: string;
  readonly #parent: string;

  constructor(runDirectory: string) {
    this.#parent = join(runDirectory, `printed-${randomBytes(6).toString("hex")}`);
    this.directory = join(this.#parent, "output");
    // Whoever reads may close the pipe, which ends this process.
    process.once("exit", this.remove);
  }

  /** The committed parts, in order, one after the other. */
  async print({ parts }: RunResult, to: Sink): Promise<void> {
    for (const { path } of parts) {
      for await (const bytes of createReadStream(path)) await to.send(bytes);
    }
  }

  readonly remove = (): void => {
    process.off("exit", this.remove);
    rmSync(this.#parent, { recursive: true, force: true });
  };
}
