import type { SimAttempt } from "./sim-attempt.ts";
import type { SimNode } from "./sim-node.ts";
import type { World } from "./world.ts";

/** On its own node, else its machine, else its rack; of several, by the task's number. */
export function nearestReplica(world: World, { task, node }: SimAttempt): SimNode | undefined {
  const alive = task.replicas.map((id) => world.node(id)).filter(({ hasInput }) => hasInput);
  const near = [
    alive.filter((other) => other === node),
    alive.filter(({ machine }) => machine?.host === node.machine?.host),
    alive.filter((other) => other.node.rack === node.node.rack),
    alive,
  ].find((nodes) => nodes.length > 0);
  return near?.[task.index % near.length];
}
