/**
 * The process that slows nodes: `main.js CLUSTER n2=4 n3=2` until it gets SIGTERM. Its arguments
 * are all there is to know about which nodes are slow.
 */
import { join } from "node:path";
import { places } from "../plan.ts";
import { processesBelow } from "../processes.ts";
import { HeldNode } from "./held-node.ts";
import { parseFactors } from "./slow-nodes.ts";

const [directory = "", ...factors] = process.argv.slice(2);
const end = new AbortController();
process.on("SIGTERM", () => end.abort());

const held = [...parseFactors(factors)].map(([node, factor]) => {
  const local = join(places(directory).nodes, node, "local");
  return new HeldNode(() => processesBelow(local).map(({ pid }) => pid), factor);
});
await Promise.all(held.map((node) => node.hold(end.signal)));
