import type { SlotKind } from "../model/ids.ts";
import type { NodeRecord } from "./node-record.ts";
import type { State } from "./state.ts";

/** Sets how many free slots of the kind the core holds for the node. */
export function setFree(state: State, node: NodeRecord, kind: SlotKind, count: number): void {
  const held = node.free(kind);
  if (held === count) return;
  if (node.usable) show({ state, node, kind, before: held, after: count });
  state.nodeTable.setFree(node.id, kind, count);
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
    show({ state, node, kind, before: before ? count : 0, after: after ? count : 0 });
  }
}

function show(change: {
  state: State;
  node: NodeRecord;
  kind: SlotKind;
  before: number;
  after: number;
}): void {
  const { state, node, kind, before, after } = change;
  if (before === after) return;
  const counts = state.freeCounts[node.rack]!;
  counts[kind] = counts[kind]! + after - before;
  // A node keeps its place among the free nodes until its last slot of the kind is taken.
  if (before === 0) {
    state.nodeTable.list(node.id, kind);
  } else if (after === 0) {
    state.nodeTable.takeOut(node.id, kind);
  }
}
