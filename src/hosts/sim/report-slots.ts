import type { SimNode } from "./state.ts";
import type { World } from "./world.ts";

/** Reports the slots that the node has now, and offers those that are free. */
export function reportSlots(world: World, node: SimNode): void {
  if (node.life === undefined || node.lost) return;
  const slots = node.slotsAt(world.now);
  world.feed({ at: world.now, kind: "node-resized", node: node.id, slots });
  if (node.health === "up") world.offer(node);
}
