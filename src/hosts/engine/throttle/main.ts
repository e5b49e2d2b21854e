import { setTimeout as sleep } from "node:timers/promises";
import { Brake, PERIOD_MS } from "./brake.ts";
import type { ThrottleAccount, ThrottledNode, ThrottleOrder, ThrottleReport } from "./order.ts";
import { PeerRate } from "./peer-rate.ts";
import { processTime } from "./process-time.ts";

/**
 * The throttle: a separate process, so that a busy master does not make slow nodes slower, and so
 * that no stopped node outlives a killed master. A stopped process cannot notice anything itself.
 */
const REPORT_EVERY_MS = 500;

const peers = new PeerRate();
const slowed = new Map<string, SlowedNode>();
let nodes: readonly ThrottledNode[] = [];

process.on("message", (order: ThrottleOrder) => {
  nodes = order.nodes;
  for (const node of nodes) {
    if (node.factor > 1 || node.paused) {
      peers.forget(node.pid);
      if (!slowed.has(node.name)) {
        slowed.set(node.name, new SlowedNode(node, () => peers.at(performance.now())));
      }
    }
    slowed.get(node.name)?.follow(node);
  }
});

// The master is gone, and its nodes must go too: stopped nodes cannot end themselves.
process.on("disconnect", () => {
  for (const node of nodes) signal(node.pid, "SIGKILL");
  process.exit(0);
});
// The master may be gone before the listener is installed; no node is stopped then.
if (!process.connected) process.exit(0);

// Ctrl-C reaches the whole process group; only the master decides what it means.
process.on("SIGINT", () => {});

setInterval(() => {
  for (const { pid, factor, paused, working } of nodes) {
    const cpuMs = factor > 1 || paused ? undefined : processTime(pid);
    if (cpuMs === undefined) peers.forget(pid);
    else peers.add(pid, { at: performance.now(), cpuMs, working });
  }
}, PERIOD_MS);

setInterval(() => {
  const report: ThrottleReport = { nodes: [...slowed.values()].map((node) => node.account) };
  process.send?.(report, undefined, undefined, () => {});
}, REPORT_EVERY_MS);

/** One node that is slowed or paused: stops and continues its process, period after period. */
class SlowedNode {
  #wanted: ThrottledNode;
  readonly #peerRate: () => number | undefined;
  #running = false;
  #before: Omit<ThrottleAccount, "name"> = { factorMs: 0, forMs: 0, unslowedMs: 0, gotMs: 0 };

  constructor(wanted: ThrottledNode, peerRate: () => number | undefined) {
    this.#wanted = wanted;
    this.#peerRate = peerRate;
  }

  get account(): ThrottleAccount {
    return { name: this.#wanted.name, ...this.#before };
  }

  follow(wanted: ThrottledNode): void {
    this.#wanted = wanted;
    if (!this.#running && isHeld(wanted)) {
      this.#running = true;
      void this.#run().finally(() => {
        this.#running = false;
      });
    }
  }

  async #run(): Promise<void> {
    while (isHeld(this.#wanted)) {
      const { pid, factor } = this.#wanted;
      if (this.#wanted.paused) await this.#pause(pid);
      else await this.#slow(pid, factor);
      if (processTime(pid) === undefined && this.#wanted.pid === pid) return;
    }
  }

  async #pause(pid: number): Promise<void> {
    signal(pid, "SIGSTOP");
    while (this.#wanted.pid === pid && this.#wanted.paused) await sleep(PAUSE_LOOK_MS);
    signal(pid, "SIGCONT");
  }

  /** Runs while the factor and the process stay the same. */
  async #slow(pid: number, factor: number): Promise<void> {
    const brake = new Brake(factor);
    const base = this.#before;
    let cpuMs = processTime(pid);
    let at = performance.now();
    let allowedMs = 0;
    while (this.#wanted.pid === pid && this.#wanted.factor === factor && !this.#wanted.paused) {
      const now = performance.now();
      const cpuNow = processTime(pid);
      if (cpuMs === undefined || cpuNow === undefined) return;
      const elapsedMs = now - at;
      const { working } = this.#wanted;
      const peerRate = this.#peerRate();
      const sample = { elapsedMs, cpuMs: cpuNow - cpuMs, allowedMs, working, peerRate };
      const windowMs = elapsedMs > 0 ? brake.window(sample) : PERIOD_MS / factor;
      cpuMs = cpuNow;
      at = now;
      this.#before = {
        factorMs: this.#before.factorMs + factor * elapsedMs,
        forMs: this.#before.forMs + elapsedMs,
        unslowedMs: base.unslowedMs + brake.account.unslowedMs,
        gotMs: base.gotMs + brake.account.gotMs,
      };
      allowedMs = await letRun(pid, windowMs);
    }
    signal(pid, "SIGCONT");
  }
}

/**
 * Lets the process run for `windowMs`, then stops it for the rest of the period. Returns how long
 * it ran.
 */
async function letRun(pid: number, windowMs: number): Promise<number> {
  const from = performance.now();
  signal(pid, "SIGCONT");
  await sleep(windowMs);
  signal(pid, "SIGSTOP");
  const allowedMs = performance.now() - from;
  await sleep(Math.max(1, PERIOD_MS - allowedMs));
  return allowedMs;
}

/** A process that is gone needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended in the meantime.
  }
}

const PAUSE_LOOK_MS = 10;

const isHeld = (wanted: ThrottledNode): boolean => wanted.paused || wanted.factor > 1;
