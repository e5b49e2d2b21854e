import type { NodeId, SlotKind } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";

/** The cluster's first slot kind stands for map slots, all others for reduce slots. */
export const isMap = (view: View, kind: SlotKind): boolean => kind === view.kinds[0];

/** The slots of a kind on a node, free or not. */
export function slotsOf(view: View, node: NodeId, kind: SlotKind): number {
  for (const slots of view.node(node).slots) if (slots.kind === kind) return slots.count;
  return 0;
}
