/**
 * `npm run bench -- w1 --size S,M,L`: how fast tasks go through the simulator, and whether the
 * answer is right. `npm run bench -- decide --nodes 100,1000,10000`: what a step costs as the
 * cluster grows. Both take `-o json`.
 */
import { parseArgs } from "node:util";
import { decide, SPECULATION } from "./decide.ts";
import { SIZES, w1 } from "./w1.ts";

const USAGE = `usage: npm run bench -- w1 [--size S,M,L,XL] [-o table|json]
       npm run bench -- decide [--nodes 100,1000,10000] [--policy NAME,...] [-o table|json]`;

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      size: { type: "string", default: "S,M,L" },
      nodes: { type: "string", default: "100,1000,10000" },
      policy: { type: "string", default: SPECULATION.join(",") },
      format: { type: "string", short: "o", default: "table" },
    },
  });
  const print = (row: object, text: string) =>
    console.log(values.format === "json" ? JSON.stringify(row) : text);
  const sizes = values.size.split(",");
  const nodes = values.nodes.split(",").map(Number);
  const policies = values.policy.split(",");
  const what = positionals.join(" ");
  if (what === "w1" && sizes.every((size) => SIZES.has(size))) {
    if (!w1(sizes, print)) process.exitCode = 1;
  } else if (
    what === "decide" &&
    nodes.every((count) => Number.isInteger(count) && count > 0) &&
    policies.every((policy) => SPECULATION.includes(policy))
  ) {
    decide(policies, nodes, print);
  } else {
    console.error(USAGE);
    process.exitCode = 2;
  }
}

main();
