import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A process for a node, which has been told nothing yet. */
export function forkNode(): ChildProcess {
  const child = early;
  early = undefined;
  const isAlive = child?.connected && child.exitCode === null && child.signalCode === null;
  return isAlive ? child : forkAnew();
}

/**
 * Starts the process of the first node before there is a cluster to which it could belong: it takes
 * as long to begin as this process to read its own code, so both do so at once. A process that
 * is not taken ends with this one.
 */
export function forkEarly(): void {
  const child = forkAnew();
  // That it could not be started is found out when it would be taken.
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
