import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { ToMaster, ToNode } from "../messages.ts";
import { forkNode } from "./fork-node.ts";

export interface NodeProcessListener {
  received(message: ToMaster): void;
  printed(stream: "stdout" | "stderr", line: string): void;
  /** The process is gone. Called once. */
  ended(how: string): void;
}

/** One process of a node, from fork to exit. Sending to a dead process is no error. */
export class NodeProcess {
  readonly #child: ChildProcess;
  /** Resolves when the process is gone and its output has been read. */
  readonly closed: Promise<void>;

  constructor(listener: NodeProcessListener) {
    const child = forkNode();
    this.#child = child;
    child.on("message", (message: ToMaster) => listener.received(message));
    const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
    const exited = new Promise<void>((resolve) => {
      const end = (how: string): void => {
        resolve();
        // A program that the user's code left behind may hold the pipes open for as long as it
        // runs.
        const destroy = (): void => {
          for (const pipe of pipes) pipe.destroy();
        };
        setTimeout(destroy, PRINTED_MS).unref();
        listener.ended(how);
      };
      child.on("exit", (code, signal) => end(signal ?? `exit code ${code}`));
      child.on("error", (error) => {
        // With a pid, the error is a channel that broke during a write: `exit` reports the end.
        if (child.pid === undefined) end(error.message);
      });
    });
    for (const stream of ["stdout", "stderr"] as const) {
      const pipe = child[stream];
      if (pipe === null) continue;
      createInterface({ input: pipe }).on("line", (line) => listener.printed(stream, line));
    }
    const read = pipes.map((pipe) => new Promise<void>((done) => pipe.on("close", () => done())));
    // The child's own `close` event never fires after a disconnect.
    this.closed = Promise.all([exited, ...read]).then(() => {});
  }

  /** Undefined after the process has ended, since the system may reuse the number. */
  get pid(): number | undefined {
    const { exitCode, pid, signalCode } = this.#child;
    return exitCode === null && signalCode === null ? pid : undefined;
  }

  send(message: ToNode): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** The time allowed for reading what a process printed before its end. */
const PRINTED_MS = 1_000;
