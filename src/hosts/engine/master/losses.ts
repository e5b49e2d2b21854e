import { nextFloat, type RandomState, shuffle } from "../../../base/random.ts";
import { rule } from "../../../model/why.ts";
import type { EngineNode } from "./engine-node.ts";
import type { MasterContext } from "./master-context.ts";

const EVICTED = rule("evicted-by-host");

/**
 * Ends attempts on the node, a given number or each with a probability, as a cluster does that
 * takes slots back to be fair to others. Evictions count as no failure.
 */
export function evict(
  context: MasterContext,
  node: EngineNode,
  which: ({ readonly count: number } | { readonly share: number }) & {
    readonly chance: RandomState;
  },
): void {
  if (node.state !== "live" || node.killed || node.paused) return;
  const { chance } = which;
  const running = context.attempts.on(node).filter(({ killedFor }) => killedFor === undefined);
  const evicted =
    "count" in which
      ? shuffle(chance, running).slice(0, which.count)
      : running.filter(() => nextFloat(chance) < which.share);
  const what = `${evicted.length} attempts evicted`;
  context.fault({ node: node.name, what, fault: "evict", is: "begin" });
  for (const attempt of evicted) {
    // The slot becomes free when the node reports the attempt's end.
    node.send({ kind: "kill", attempt: attempt.id });
    context.killedByHost(attempt, EVICTED);
  }
}

/** Removes each output on the node with this probability; the core is not told. */
export function loseSomeOutputs(
  context: MasterContext,
  node: EngineNode,
  { share, chance }: { readonly share: number; readonly chance: RandomState },
): void {
  const outputs = [...context.jobs.values()].flatMap((job) => job.outputs.on(node));
  const lost = outputs.filter(() => nextFloat(chance) < share);
  const what = `${lost.length} of ${outputs.length} outputs removed`;
  context.fault({ node: node.name, what, fault: "lose-outputs", is: "begin" });
  for (const { attempt } of lost) node.send({ kind: "kill", attempt });
}
