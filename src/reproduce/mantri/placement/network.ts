import type { Chance } from "../../../base/chance.ts";
import { number, object, positive, required, type Shape, whole } from "../../../base/shape.ts";
import { chance } from "../../../hosts/sim/chance-shape.ts";

/** The network between racks, and where slots are free when a phase of reduces begins. */
export interface NetworkModel {
  readonly racks: number;
  /** Nodes of a rack on which the job has slots or data. */
  readonly nodesPerRack: number;
  readonly nodeBytesPerMs: number;
  /** A rack's link to the others, one way. */
  readonly rackBytesPerMs: number;
  /**
   * What others take of the links out of a rack and into it, and how long until that changes. Maps
   * are everywhere, so that what leaves racks is even; reduces are not (§4.2).
   */
  readonly othersUpShare: Chance;
  readonly othersDownShare: Chance;
  readonly othersMs: Chance;
  /** Time between two measurements of the links. */
  readonly linkSampleMs: number;
  /** Free slots for each task that is to be placed. */
  readonly freeSlotsPerTask: number;
  /** How many of them are in a rack, relative to the others. */
  readonly freeSlotsOfRack: Chance;
}

export const networkModel: Shape<NetworkModel> = object<NetworkModel>("a network between racks", {
  racks: required(whole({ min: 2 })),
  nodesPerRack: required(whole({ min: 1 })),
  nodeBytesPerMs: required(positive),
  rackBytesPerMs: required(positive),
  othersUpShare: required(chance),
  othersDownShare: required(chance),
  othersMs: required(chance),
  linkSampleMs: required(positive),
  freeSlotsPerTask: required(number({ min: 1 })),
  freeSlotsOfRack: required(chance),
});
