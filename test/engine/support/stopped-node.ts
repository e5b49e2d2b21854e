import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isRunFile, newestRun } from "./journal.ts";
import { nodeProcesses } from "./processes.ts";

/** A node of the newest run, whose process is stopped and continued by hand. */
export class StoppedNode {
  readonly #runs: string;
  readonly #name: string;

  constructor(runs: string, name: string) {
    this.#runs = runs;
    this.#name = name;
  }

  stop(): void {
    process.kill(this.#pid, "SIGSTOP");
  }

  /** Continues the node, and waits until its map has an output and has had time to report it. */
  finish(): string {
    process.kill(this.#pid, "SIGCONT");
    for (let tries = 0; tries < 1_000; tries++) {
      Atomics.wait(clock, 0, 0, 10);
      const whole = this.#outputs().find((path) => isRunFile(path));
      if (whole === undefined) continue;
      Atomics.wait(clock, 0, 0, 300);
      return whole;
    }
    throw new Error(`${this.#name} makes no output`);
  }

  get #pid(): number {
    const its = nodeProcesses(newestRun(this.#runs)).filter(({ node }) => node === this.#name);
    return its.at(-1)?.pid ?? Number.NaN;
  }

  #outputs(): readonly string[] {
    const directory = join(newestRun(this.#runs), "nodes", this.#name);
    return readdirSync(directory).map((attempt) => join(directory, attempt, "output"));
  }
}

const clock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
