import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A node's process that has received no message yet. */
export function forkNode(): ChildProcess {
  const child = early;
  early = undefined;
  const isAlive = child?.connected && child.exitCode === null && child.signalCode === null;
  return isAlive ? child : forkAnew();
}

/**
 * Starts the first node's process before the cluster exists. The process takes as long to start as
 * this one takes to load its own code, so both happen at once. A process that no node takes ends
 * with this one.
 */
export function forkEarly(): void {
  const child = forkAnew();
  // A failed start shows when a node takes the process.
  child.on("error", () => {});
  process.on("exit", () => early?.kill("SIGKILL"));
  early = child;
}

let early: ChildProcess | undefined;

const forkAnew = (): ChildProcess =>
  fork(MAIN, [], {
    execArgv: [],
    serialization: "json",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });

const MAIN = fileURLToPath(new URL("../node/main.js", import.meta.url));
