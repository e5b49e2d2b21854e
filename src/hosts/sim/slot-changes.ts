import type { NodeId, SlotKind } from "../../model/ids.ts";
import { SLOTS } from "./agenda.ts";
import { join } from "./node-life.ts";
import { reportSlots } from "./report-slots.ts";
import type { SimNode } from "./state.ts";
import type { World } from "./world.ts";

/** Enters the times at which slots of nodes come and go. */
export function awaitSlots(world: World): void {
  for (const { node, life } of world.nodes) {
    for (const ms of life?.changesMs ?? []) if (ms > 0) world.agenda.enter(ms, SLOTS, node.id);
  }
}

/** Slots of the node come or go. Its first ones have it join. */
export function slotsChange(world: World, id: NodeId): void {
  const node = world.node(id);
  const { life } = node;
  if (life === undefined) return;
  for (const kind of life.kinds) {
    if (life.isOver(kind, world.now) && isLast(world, node, kind)) life.keep(kind);
  }
  if (world.now === life.joinsAtMs && node.health === "up") join(world, node);
  else reportSlots(world, node);
}

/** Whether no other node has slots of the kind, now or later: a job could never end. */
function isLast({ nodes, now }: World, last: SimNode, kind: SlotKind): boolean {
  return nodes.every((other) => {
    if (other === last) return true;
    if (!other.node.slots.some((slots) => slots.kind === kind)) return true;
    return other.life !== undefined && !other.life.keeps(kind) && other.life.isOver(kind, now);
  });
}
