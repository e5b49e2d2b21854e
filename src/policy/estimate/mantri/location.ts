import type { NodeId, TaskId } from "../../../model/ids.ts";
import type { Locality } from "../../../model/job.ts";
import type { View } from "../../../model/view.ts";
import { factorOf, type Leanings, noLeanings, recordRatio } from "./leaning.ts";
import { pathFactor } from "./path.ts";

/** How places have slowed attempts down. Plain data. */
export interface Locations {
  /** How much slower each machine is than its attempts' phases, over all jobs. */
  readonly machines: Leanings<NodeId>;
  /** The same for attempts whose data are on the node, on its rack or elsewhere. */
  readonly localities: Leanings<Locality>;
}

export const noLocations = (): Locations => ({
  machines: noLeanings(),
  localities: noLeanings(),
});

/** A task and a place where an attempt of it runs or might run. */
export interface Location {
  readonly task: TaskId;
  readonly node: NodeId;
  /** The mean duration of the task where nothing slows it, in ms. */
  meanMs(): number;
}

/**
 * §5.5's locationFactor: whether the machine is persistently slower, or the path to the inputs has
 * less capacity.
 */
export const locationFactor = (locations: Locations, view: View, place: Location): number =>
  factorOf(locations.machines, place.node) * pathTo(locations, view, place);

/**
 * The factor of the path: from past attempts at that distance from their replicas, or from the
 * links to the partitions.
 */
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
 * Records that an attempt took `ratio` times the median of its phase there. The part that the path
 * to its input explains is not charged to the machine, nor the reverse. `most`: the attempts to
 * remember.
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
