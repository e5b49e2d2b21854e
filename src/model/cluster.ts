import type { NodeId, RackId, SlotKind } from "./ids.ts";

export interface Node {
  readonly id: NodeId;
  /** Unique; a node that comes back keeps its name and id. */
  readonly name: string;
  readonly rack: RackId;
  readonly slots: SlotCounts;
}

export type SlotCounts = readonly { readonly kind: SlotKind; readonly count: number }[];

/** What a host can do for a policy. */
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
