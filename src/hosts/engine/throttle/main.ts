import { PERIOD_MS } from "./brake.ts";
import type { ThrottledNode, ThrottleOrder, ThrottleReport } from "./order.ts";
import { PeerRate } from "./peer-rate.ts";
import { processTime } from "./process-time.ts";
import { SlowedNode, signal } from "./slowed-node.ts";

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
