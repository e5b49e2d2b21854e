import { type Infer, number, positive, record, required, whole } from "../../../base/shape.ts";
import { chance } from "../../../model/chance-shape.ts";

/** The network between racks, and the free slots at the start of a phase of reduces. */
export type NetworkModel = Infer<typeof networkModel>;
export const networkModel = record("a network between racks", {
  racks: required(whole({ min: 2 })),
  /** Nodes of a rack on which the job has slots or data. */
  nodesPerRack: required(whole({ min: 1 })),
  nodeBytesPerMs: required(positive),
  /** A rack's link to the others, one way. */
  rackBytesPerMs: required(positive),
  /**
   * The share of the links out of a rack and into it that background traffic takes, and the time
   * until the share changes. Maps are everywhere, so traffic out of racks is even; reduces are not
   * (§4.2).
   */
  othersUpShare: required(chance),
  othersDownShare: required(chance),
  othersMs: required(chance),
  /** Time between two measurements of the links. */
  linkSampleMs: required(positive),
  /** Free slots per task to be placed. */
  freeSlotsPerTask: required(number({ min: 1 })),
  /** A rack's weight in the distribution of free slots. */
  freeSlotsOfRack: required(chance),
});
