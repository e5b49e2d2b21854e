import type { RecordedNode, RecordedSlots } from "../hosts/sim/index.ts";
import type { Fitted } from "./fitted.ts";

/** Another size of the cluster; absent fields stay as recorded. */
export interface ClusterSize {
  readonly nodes?: number;
  /** Of each node, and of each kind that the node has. */
  readonly slots?: number;
}

/**
 * The job on another cluster. Nodes of usual speed are added or removed; slow ones stay while
 * others can be removed. A new node is like one of the existing nodes.
 */
export function resized(fitted: Fitted, { nodes, slots }: ClusterSize): Fitted {
  const { shape } = fitted;
  const wanted = nodes ?? shape.nodes.length;
  const sized = withNodes(shape.nodes, wanted).map((node) => ({
    ...node,
    slots: slots === undefined ? node.slots : withSlots(node.slots, slots),
  }));
  return { ...fitted, shape: { ...shape, nodes: sized } };
}

function withNodes(nodes: readonly RecordedNode[], wanted: number): readonly RecordedNode[] {
  const used = nodes.filter((node) => node.slots.length > 0);
  const slowFirst = used.toSorted((a, b) => Math.sign((b.factor ?? 1) - (a.factor ?? 1)));
  const usual = used.filter((node) => (node.factor ?? 1) === 1);
  const models = usual.length > 0 ? usual : used;
  return Array.from({ length: wanted }, (_, n) => {
    const model = models[n % models.length];
    const kept = slowFirst[n];
    if (kept !== undefined) return kept;
    return { ...model, name: `added-${n}`, slots: model?.slots ?? [] };
  });
}

function withSlots(slots: readonly RecordedSlots[], count: number): readonly RecordedSlots[] {
  const kinds = [...new Set(slots.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const from = slots.filter((slot) => slot.kind === kind).map(({ fromMs = 0 }) => fromMs);
    return { kind, count, fromMs: Math.min(...from) };
  });
}

/** For instance `On 12 nodes with 2 slots each`. */
export function sizeText({ nodes, slots }: ClusterSize): string {
  const each = slots === 1 ? "1 slot" : `${slots} slots`;
  if (nodes === undefined) return `With ${each} a node`;
  const on = `On ${nodes === 1 ? "1 node" : `${nodes} nodes`}`;
  return slots === undefined ? on : `${on} with ${each} each`;
}
