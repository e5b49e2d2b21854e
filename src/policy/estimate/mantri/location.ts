import type { NodeId, TaskId } from "../../../model/ids.ts";
import type { Locality } from "../../../model/job.ts";
import type { View } from "../../../model/view.ts";
import { factorOf, type Leanings, noLeanings, recordRatio } from "./leaning.ts";
import { pathFactor } from "./path.ts";

/** What places have done to attempts. Plain data. */
export interface Locations {
  /** How much slower than its phase a machine is, over all jobs. */
  readonly machines: Leanings<NodeId>;
  /** The same of attempts whose data are on the node, on its rack or elsewhere. */
  readonly localities: Leanings<Locality>;
}

export const noLocations = (): Locations => ({
  machines: noLeanings(),
  localities: noLeanings(),
});

/** A task, where an attempt of it runs or might run. */
export interface Location {
  readonly task: TaskId;
  readonly node: NodeId;
  /** What the task takes on average where nothing is in the way, in ms. */
  meanMs(): number;
}

/**
 * §5.5's locationFactor: whether the machine is persistently slower, or the path to the inputs has
 * less capacity.
 */
export const locationFactor = (locations: Locations, view: View, place: Location): number =>
  factorOf(locations.machines, place.node) * pathTo(locations, view, place);

/** By what attempts have shown of replicas at that distance, or by the links to the partitions. */
function pathTo({ localities }: Locations, view: View, place: Location): number {
  const { node, task } = place;
  if (view.task(task).replicas.length > 0) return factorOf(localities, view.locality(task, node));
  const byRack = view.inputByRack(task);
  if (byRack.size === 0) return 1;
  const { rack } = view.node(node);
  const meanMs = place.meanMs();
  return pathFactor({ byRack, rack, meanMs, racks: view.racks, links: (of) => view.links(of) });
}

/**
 * An attempt took so many times the median of its phase there: what the path to its input explains
 * is not the machine's, nor the other way round. `most`: attempts that are remembered.
 */
export function recordLocation(
  locations: Locations,
  view: View,
  shown: Location & { readonly ratio: number; readonly most: number },
): void {
  const { most, node, ratio, task } = shown;
  const { localities, machines } = locations;
  const machine = factorOf(machines, node);
  recordRatio(machines, node, ratio / pathTo(locations, view, shown), most);
  if (view.task(task).replicas.length === 0) return;
  recordRatio(localities, view.locality(task, node), ratio / machine, most);
}
