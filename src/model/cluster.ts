import type { NodeId, RackId, SlotKind } from "./ids.ts";

export interface Node {
  readonly id: NodeId;
  /** Unique; a node that comes back keeps its name and id. */
  readonly name: string;
  readonly rack: RackId;
  readonly slots: SlotCounts;
}

export type SlotCounts = readonly { readonly kind: SlotKind; readonly count: number }[];

/** The capabilities of hosts that policies may need or want. */
export const CAPABILITIES = [
  "slot-offers",
  "requests",
  "placement",
  "kill-restart",
  "kill-only",
  "prefer",
  "replicate",
  "recompute",
] as const;
export type Capability = (typeof CAPABILITIES)[number];
