/**
 * `npm run bench -- sim`: the rate of tasks in the simulator, beside other simulators, and the cost
 * of a step as the cluster grows. `npm run bench -- engine`: real jobs, beside other programs. `npm
 * run bench -- fidelity`: the difference between simulated and real runs. `npm run bench -- yarn`:
 * a job on a real Hadoop cluster with a slowed node, under each policy. `npm run bench -- history`:
 * how fast a history is read and diagnosed. `npm run bench -- whatif`: how long a what-if takes.
 * `npm run bench -- page`: how smoothly the page of a large run moves. All take `-o json`.
 */
import { ENGINE_USAGE, engineBench } from "./engine/command.ts";
import { FIDELITY_USAGE, fidelity } from "./fidelity/command.ts";
import { HISTORY_USAGE, historyBench } from "./history/command.ts";
import { PAGE_USAGE, pageBench } from "./page/command.ts";
import { SIM_USAGE, simBench } from "./sim/command.ts";
import { WHATIF_USAGE, whatIfBench } from "./whatif/command.ts";
import { YARN_USAGE, yarnBench } from "./yarn/command.ts";

const USAGE = `usage: ${SIM_USAGE}
       ${ENGINE_USAGE}
       ${FIDELITY_USAGE}
       ${YARN_USAGE}
       ${HISTORY_USAGE}
       ${WHATIF_USAGE}
       ${PAGE_USAGE}`;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return;
  }
  const [what, ...others] = args;
  const done = await bench(what, others, args).catch(whatFlagIsWrong);
  if (done === true) return;
  if (done === undefined) console.error(USAGE);
  process.exitCode = done === undefined ? 2 : 1;
}

/** The message of `parseArgs` names the flag; the usage follows the message. */
function whatFlagIsWrong(error: unknown): undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
  console.error(`error: ${message}`);
}

async function bench(
  what: string | undefined,
  others: readonly string[],
  all: readonly string[],
): Promise<boolean | undefined> {
  if (what === "engine") return engineBench(others);
  if (what === "yarn") return yarnBench(others);
  if (what === "history") return historyBench(all);
  if (what === "whatif") return whatIfBench(all);
  if (what === "page") return pageBench(all);
  if (what === "fidelity") return fidelity(others);
  return what === "sim" ? simBench(others) : undefined;
}

await main(process.argv.slice(2));
