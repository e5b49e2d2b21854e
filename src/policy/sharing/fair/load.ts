import { ascending } from "../../../base/order.ts";
import type { SlotCounts } from "../../../model/cluster.ts";
import type { NodeId, SlotKind } from "../../../model/ids.ts";
import type { SlotPlan } from "../../policy.ts";
import { isMap, slotsOf } from "../../shared/slots.ts";
import { type FairContext, poolClaims } from "./claims.ts";

/** Hadoop 1.2.1, assignTasks and CapBasedLoadManager: which free slots of a node to fill. */
export function planOffer(ctx: FairContext, node: NodeId, free: SlotCounts): SlotPlan {
  const { params, view } = ctx;
  const slots: SlotKind[] = [];
  // The kind of which fewer attempts run on the node comes first.
  const runningOn = ({ kind, count }: SlotCounts[number]) => slotsOf(view, node, kind) - count;
  for (const { kind, count } of [...free].sort(ascending(runningOn, ascending(kindOf)))) {
    for (let left = slotsToFill(ctx, node, { kind, count }); left > 0; left--) slots.push(kind);
  }
  const plan = { slots, farMax: Number.POSITIVE_INFINITY };
  return params.assignMultiple ? plan : { ...plan, launchesMax: 1 };
}

const kindOf = ({ kind }: SlotCounts[number]): number => kind;

function slotsToFill(ctx: FairContext, node: NodeId, free: SlotCounts[number]): number {
  const { params, view } = ctx;
  const { kind, count } = free;
  if (count === 0) return 0;
  const nodeSlots = slotsOf(view, node, kind);
  let demand = 0;
  for (const claim of poolClaims(ctx, kind)) demand += claim.demand;
  const cap = nodeCap({ ...params, demand, slots: view.slots(kind), nodeSlots });
  const running = nodeSlots - count;
  if (running >= cap) return 0;
  const most = Math.min(count, isMap(view, kind) ? params.mapsMax : params.reducesMax);
  return params.loadCountsOffer ? Math.min(most, cap - running) : most;
}

/** getCap: a node runs its share of what there is to run, rounded up, so that few are spread. */
export function nodeCap(of: {
  readonly demand: number;
  readonly slots: number;
  readonly nodeSlots: number;
  readonly loadMaxDiff: number;
}): number {
  const load = of.loadMaxDiff + of.demand / of.slots;
  return Math.ceil(of.nodeSlots * Math.min(1, load));
}
