import { type Infer, number, positive, record, required, whole } from "../../../base/shape.ts";
import { chance } from "../../../hosts/sim/chance-shape.ts";

/** The network between racks, and where slots are free when a phase of reduces begins. */
export type NetworkModel = Infer<typeof networkModel>;
export const networkModel = record("a network between racks", {
  racks: required(whole({ min: 2 })),
  /** Nodes of a rack on which the job has slots or data. */
  nodesPerRack: required(whole({ min: 1 })),
  nodeBytesPerMs: required(positive),
  /** A rack's link to the others, one way. */
  rackBytesPerMs: required(positive),
  /**
   * What others take of the links out of a rack and into it, and how long until that changes. Maps
   * are everywhere, so that what leaves racks is even; reduces are not (§4.2).
   */
  othersUpShare: required(chance),
  othersDownShare: required(chance),
  othersMs: required(chance),
  /** Time between two measurements of the links. */
  linkSampleMs: required(positive),
  /** Free slots for each task that is to be placed. */
  freeSlotsPerTask: required(number({ min: 1 })),
  /** How many of them are in a rack, relative to the others. */
  freeSlotsOfRack: required(chance),
});
