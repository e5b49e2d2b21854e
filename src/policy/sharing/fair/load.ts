import type { SlotCounts } from "../../../model/cluster.ts";
import type { NodeId, SlotKind } from "../../../model/ids.ts";
import type { SlotPlan } from "../../policy.ts";
import { isMap, slotsOf } from "../../shared/slots.ts";
import { type FairContext, poolClaims } from "./claims.ts";

/** The tasks of a kind on a node, and how many more it may get in this offer. */
interface KindLoad {
  readonly kind: SlotKind;
  running: number;
  left: number;
}

/** Hadoop 1.2.1, assignTasks and CapBasedLoadManager: which free slots of a node to fill. */
export function planOffer(ctx: FairContext, node: NodeId, free: SlotCounts): SlotPlan {
  const { params, view } = ctx;
  const loads = free.map(
    ({ kind, count }): KindLoad => ({
      kind,
      running: slotsOf(view, node, kind) - count,
      left: slotsToFill(ctx, node, { kind, count }),
    }),
  );
  const slots: SlotKind[] = [];
  for (let next = leastLoaded(loads); next !== undefined; next = leastLoaded(loads)) {
    slots.push(next.kind);
    next.left--;
    if (params.loadCountsOffer) next.running++;
  }
  const plan = { slots, farMax: Number.POSITIVE_INFINITY };
  return params.assignMultiple ? plan : { ...plan, launchesMax: 1 };
}

/**
 * Among the kinds that may get more, the one with the fewest tasks on the node; the first of
 * equals.
 */
function leastLoaded(loads: readonly KindLoad[]): KindLoad | undefined {
  let least: KindLoad | undefined;
  for (const load of loads) {
    if (load.left === 0) continue;
    const lead = least === undefined ? -1 : load.running - least.running || load.kind - least.kind;
    if (lead < 0) least = load;
  }
  return least;
}

function slotsToFill(ctx: FairContext, node: NodeId, free: SlotCounts[number]): number {
  const { params, view } = ctx;
  const { kind, count } = free;
  if (count === 0) return 0;
  const nodeSlots = slotsOf(view, node, kind);
  let demand = 0;
  for (const claim of poolClaims(ctx, kind)) demand += claim.demand;
  const { loadMaxDiff } = params;
  const cap = nodeCap({ loadMaxDiff, demand, slots: view.slots(kind), nodeSlots });
  const running = nodeSlots - count;
  if (running >= cap) return 0;
  const most = Math.min(count, isMap(view, kind) ? params.mapsMax : params.reducesMax);
  return params.loadCountsOffer ? Math.min(most, cap - running) : most;
}

/** getCap: a node runs its share of the tasks, rounded up, so that few tasks are spread out. */
export function nodeCap(of: {
  readonly demand: number;
  readonly slots: number;
  readonly nodeSlots: number;
  readonly loadMaxDiff: number;
}): number {
  const load = of.loadMaxDiff + of.demand / of.slots;
  return Math.ceil(of.nodeSlots * Math.min(1, load));
}
