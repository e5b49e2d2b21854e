import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ThrottleAccount, ThrottledNode, ThrottleOrder, ThrottleReport } from "./order.ts";

/** The master's side of the throttle: sends orders, receives reports. */
export class Throttle {
  #child: ChildProcess | undefined;
  #accounts = new Map<string, ThrottleAccount>();
  #order: ThrottleOrder = { nodes: [] };
  #closed: Promise<void> = Promise.resolve();
  #stopping = false;

  /** The first order starts the throttle's process. */
  order(nodes: readonly ThrottledNode[]): void {
    this.#order = { nodes };
    this.#child ??= this.#fork();
    this.#send();
  }

  account(name: string): ThrottleAccount | undefined {
    return this.#accounts.get(name);
  }

  /** Stops the throttle. Stopped nodes stay stopped, so the nodes must end first. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child?.kill("SIGKILL");
    await this.#closed;
  }

  #fork(): ChildProcess {
    const child = fork(MAIN, [], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.on("message", (report: ThrottleReport) => {
      for (const account of report.nodes) this.#accounts.set(account.name, account);
    });
    child.on("error", () => {});
    this.#closed = new Promise((resolve) => child.on("close", () => resolve()));
    // No process may stay stopped after the throttle has ended.
    child.on("exit", () => {
      if (this.#stopping) return;
      this.#child = this.#fork();
      this.#send();
    });
    return child;
  }

  #send(): void {
    if (this.#child?.connected) this.#child.send(this.#order, () => {});
  }
}

const MAIN = fileURLToPath(new URL("./main.js", import.meta.url));
