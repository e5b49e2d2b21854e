/**
 * The process that slows nodes: `main.js CLUSTER n2=4 n3=2` until it gets SIGTERM. Its arguments
 * are the only record of which nodes are slow.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { places } from "../plan.ts";
import { processesBelow } from "../processes.ts";
import { HeldNode } from "./held-node.ts";
import { parseFactors } from "./slow-nodes.ts";

const [directory = "", ...factors] = process.argv.slice(2);
const end = new AbortController();
process.on("SIGTERM", () => end.abort());

const nodes = [...parseFactors(factors)].map(([node, factor]) => ({
  local: join(places(directory).nodes, node, "local"),
  factor,
}));
// The companion notices any end of this process, because its input ends.
const lettingGo = spawn(
  process.execPath,
  [fileURLToPath(new URL("./let-go.js", import.meta.url)), ...nodes.map(({ local }) => local)],
  { stdio: ["pipe", "ignore", "inherit"], detached: true },
);
const held = nodes.map(({ local, factor }) => {
  return new HeldNode(() => processesBelow(local).map(({ pid }) => pid), factor);
});
await Promise.all(held.map((node) => node.hold(end.signal)));
lettingGo.stdin.end();
