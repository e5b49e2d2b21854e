import type { SlotKind } from "../../model/ids.ts";
import type { NodeRecord } from "./node-record.ts";
import type { State } from "./state.ts";

/** Sets how many free slots of the kind the core holds for the node. */
export function setFree(state: State, node: NodeRecord, kind: SlotKind, count: number): void {
  const held = node.free(kind);
  if (held === count) return;
  state.nodeTable.setFree(node.id, kind, count);
  if (!node.usable) return;
  addFree(state, node, kind, count - held);
  // A node keeps its place among the free nodes until its last slot of the kind is taken.
  if (held === 0) state.nodeTable.list(node.id, kind);
  else if (count === 0) state.nodeTable.takeOut(node.id, kind);
}

function addFree(state: State, { rack }: NodeRecord, kind: SlotKind, change: number): void {
  const counts = state.freeCounts[rack]!;
  counts[kind] = counts[kind]! + change;
}

/** The names of a node and of its kind of slot, for reasons. */
export const slotNames = (
  { setup }: State,
  { node }: NodeRecord,
  kind: SlotKind,
): { readonly node: string; readonly slot: string } => ({
  node: node.name,
  slot: setup.slotKinds[kind]!,
});

/** Makes the node usable or not: its free slots come into play or leave it. */
export function changeUsable(state: State, node: NodeRecord, change: () => void): void {
  const before = node.usable;
  change();
  state.nodeScores.changed(node.id);
  const after = node.usable;
  if (before === after) return;
  for (const kind of state.kinds) {
    const count = node.free(kind);
    if (count === 0) continue;
    addFree(state, node, kind, after ? count : -count);
    if (after) state.nodeTable.list(node.id, kind);
    else state.nodeTable.takeOut(node.id, kind);
  }
}
