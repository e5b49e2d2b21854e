/**
 * `npm run bench -- w1 --size S,M,L`: the rate of tasks in the simulator, and whether the answer is
 * right. `npm run bench -- fluid`: the rate of flows on shared disks and links, and whether they
 * end as in SimGrid. `npm run bench -- decide --nodes 100,1000,10000`: the cost of a step as the
 * cluster grows. `npm run bench -- engine`: real jobs, beside other programs. `npm run bench --
 * fidelity`: the difference between simulated and real runs. `npm run bench -- yarn`: a job on a
 * real Hadoop cluster with a slowed node, under each policy. `npm run bench -- history`: how fast a
 * history is read and diagnosed. `npm run bench -- page`: how smoothly the page of a large run
 * moves. All take `-o json`.
 */
import { parseArgs } from "node:util";
import { decide, SPECULATION } from "./decide.ts";
import { ENGINE_USAGE, engineBench } from "./engine/command.ts";
import { FIDELITY_USAGE, fidelity } from "./fidelity/command.ts";
import { fluid } from "./fluid.ts";
import { HISTORY_USAGE, historyBench } from "./history/command.ts";
import { PAGE_USAGE, pageBench } from "./page/command.ts";
import { SIZES, w1 } from "./w1.ts";
import { YARN_USAGE, yarnBench } from "./yarn/command.ts";

const USAGE = `usage: npm run bench -- w1 [--size S,M,L,XL] [-o table|json]
       npm run bench -- fluid [-o table|json]
       npm run bench -- decide [--nodes 100,1000,10000] [--policy NAME,...] [-o table|json]
       ${ENGINE_USAGE}
       ${FIDELITY_USAGE}
       ${YARN_USAGE}
       ${HISTORY_USAGE}
       ${PAGE_USAGE}`;

async function main(args: readonly string[]): Promise<void> {
  const [what, ...others] = args;
  const done = await bench(what, others, args);
  if (done === true) return;
  if (done === undefined) console.error(USAGE);
  process.exitCode = done === undefined ? 2 : 1;
}

async function bench(
  what: string | undefined,
  others: readonly string[],
  all: readonly string[],
): Promise<boolean | undefined> {
  if (what === "engine") return engineBench(others);
  if (what === "yarn") return yarnBench(others);
  if (what === "history") return historyBench(all);
  if (what === "page") return pageBench(all);
  return what === "fidelity" ? fidelity(others) : simulatorBench(all);
}

/** Undefined if the arguments are no command; else whether the answers are right. */
function simulatorBench(args: readonly string[]): boolean | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
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
  if (what === "w1" && sizes.every((size) => SIZES.has(size))) return w1(sizes, print);
  if (what === "fluid") return fluid(print);
  if (what !== "decide") return undefined;
  const isNumbered = nodes.every((count) => Number.isInteger(count) && count > 0);
  const isKnown = policies.every((policy) => SPECULATION.includes(policy));
  if (!isNumbered || !isKnown) return undefined;
  decide(policies, nodes, print);
  return true;
}

await main(process.argv.slice(2));
