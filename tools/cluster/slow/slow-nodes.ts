import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findProcess, launch } from "../daemons.ts";
import { type ClusterPlan, places } from "../plan.ts";
import { letGo, signal } from "../processes.ts";
import { BUILD } from "../repository.ts";

const NAME = "slow-nodes";
const MAIN = join(BUILD, "tools/cluster/slow/main.js");

/** The factors of the slowed nodes, by name. */
export function slowNodes(plan: ClusterPlan): ReadonlyMap<string, number> {
  const [, , , ...factors] = find(plan)?.command ?? [];
  return parseFactors(factors);
}

/** Slows the named nodes; all others run at full speed. */
export async function setSlowNodes(
  plan: ClusterPlan,
  factors: ReadonlyMap<string, number>,
): Promise<void> {
  const old = find(plan);
  if (old !== undefined) {
    // The old process continues what it has stopped, then ends.
    signal(old.pid, "SIGTERM");
    while (find(plan)?.pid === old.pid) await sleep(POLL_MS);
  }
  // The old process and its companion may both have been killed.
  letGo(places(plan.directory).nodes);
  const slowed = [...factors].filter(([, factor]) => factor > 1);
  if (slowed.length === 0) return;
  const texts = slowed.map(([node, factor]) => `${node}=${factor}`);
  launch(plan, NAME, [process.execPath, MAIN, plan.directory, ...texts]);
}

const find = (plan: ClusterPlan) => findProcess(plan, NAME, MAIN);

/** `n2=4`: the containers of n2 get a quarter of the CPU time that they would take. */
export const parseFactors = (texts: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    texts.map((text) => {
      const [node = "", factor] = text.split("=");
      return [node, Number(factor)];
    }),
  );

const POLL_MS = 10;
